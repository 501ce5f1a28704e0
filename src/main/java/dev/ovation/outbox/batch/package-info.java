/** One relay transaction: what was seen of outboxes is judged against the rows, and applied. */
@NullMarked
package dev.ovation.outbox.batch;

import org.jspecify.annotations.NullMarked;
