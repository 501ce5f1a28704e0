/** Committed states of entities and users, as Redis loads them. */
@NullMarked
package dev.ovation.store.snapshot;

import org.jspecify.annotations.NullMarked;
