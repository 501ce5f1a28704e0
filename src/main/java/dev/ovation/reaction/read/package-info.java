/** Reads: from the near cache, from Redis while that can tell, else from Postgres. */
@NullMarked
package dev.ovation.reaction.read;

import org.jspecify.annotations.NullMarked;
