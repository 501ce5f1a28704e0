/** Statements that a divided Postgres cannot execute as one. */
@NullMarked
package dev.ovation.store.divided;

import org.jspecify.annotations.NullMarked;
