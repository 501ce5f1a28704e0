/** Reads: from the near cache, from Redis while Redis knows the state, otherwise from Postgres. */
@NullMarked
package dev.ovation.reaction.read;

import org.jspecify.annotations.NullMarked;
