/** The shards of a Postgres that Citus divides over several nodes. */
@NullMarked
package dev.ovation.store.shard;

import org.jspecify.annotations.NullMarked;
