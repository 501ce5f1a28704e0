/** Writes: a wish is judged, proposed in Redis, and answered when it is committed. */
@NullMarked
package dev.ovation.reaction.write;

import org.jspecify.annotations.NullMarked;
