/** Postgres: the tables, the watermarks of the partitions, and statements over whole batches. */
@NullMarked
package dev.ovation.store;

import org.jspecify.annotations.NullMarked;
