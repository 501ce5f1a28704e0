/** One relay transaction: the slices of outboxes are checked against the rows, and applied. */
@NullMarked
package dev.ovation.outbox.batch;

import org.jspecify.annotations.NullMarked;
