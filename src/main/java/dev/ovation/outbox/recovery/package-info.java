/** Epochs of partitions: attaching, taking over, and their end. */
@NullMarked
package dev.ovation.outbox.recovery;

import org.jspecify.annotations.NullMarked;
