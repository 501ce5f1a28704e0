/** Committed changes for other systems: the log of changes, read by {@code GET /events}. */
@NullMarked
package dev.ovation.event;

import org.jspecify.annotations.NullMarked;
