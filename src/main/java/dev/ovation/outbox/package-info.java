/** The way of events from Redis into Postgres: the relay, who waits for it, and recovery. */
@NullMarked
package dev.ovation.outbox;

import org.jspecify.annotations.NullMarked;
