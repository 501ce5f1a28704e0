/** The operator's console: a page that reads the API, and the samples of its charts. */
@NullMarked
package dev.ovation.console;

import org.jspecify.annotations.NullMarked;
