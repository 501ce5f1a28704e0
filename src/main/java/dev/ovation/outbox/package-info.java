/** The path of events from Redis to Postgres: the relay, its waiters, and recovery. */
@NullMarked
package dev.ovation.outbox;

import org.jspecify.annotations.NullMarked;
