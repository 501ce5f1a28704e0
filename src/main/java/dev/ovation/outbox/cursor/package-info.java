/** How far partitions are applied, who waits for more, and how instances tell each other. */
@NullMarked
package dev.ovation.outbox.cursor;

import org.jspecify.annotations.NullMarked;
