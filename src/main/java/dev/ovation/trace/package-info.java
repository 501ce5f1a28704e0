/** Spans of sampled requests, and of the work that they share. */
@NullMarked
package dev.ovation.trace;

import org.jspecify.annotations.NullMarked;
