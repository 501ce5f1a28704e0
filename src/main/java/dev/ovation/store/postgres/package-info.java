/** Schema, bounds and errors of Postgres. */
@NullMarked
package dev.ovation.store.postgres;

import org.jspecify.annotations.NullMarked;
