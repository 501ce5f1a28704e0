/**
 * Relay cycles: they apply outboxes to Postgres, publish the commits, and acknowledge them to
 * Redis.
 */
@NullMarked
package dev.ovation.outbox.relay;

import org.jspecify.annotations.NullMarked;
