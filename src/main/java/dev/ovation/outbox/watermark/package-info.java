/** Watermarks of partitions, their waiters, and the topic between instances. */
@NullMarked
package dev.ovation.outbox.watermark;

import org.jspecify.annotations.NullMarked;
