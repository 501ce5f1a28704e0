/** The start of the service: its phases, and the check of the names of settings. */
@NullMarked
package dev.ovation.start;

import org.jspecify.annotations.NullMarked;
