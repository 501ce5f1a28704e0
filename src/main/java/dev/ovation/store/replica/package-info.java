/** Reads from a replica of Postgres, with a bound on their age. */
@NullMarked
package dev.ovation.store.replica;

import org.jspecify.annotations.NullMarked;
