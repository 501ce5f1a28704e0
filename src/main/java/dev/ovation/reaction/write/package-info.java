/** Writes: a command is judged, proposed in Redis, and answered after its commit. */
@NullMarked
package dev.ovation.reaction.write;

import org.jspecify.annotations.NullMarked;
