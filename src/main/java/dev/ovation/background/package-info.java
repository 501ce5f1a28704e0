/**
 * Work that nobody waits for, each sort done by one instance at a time, and all of it together
 * within a share of one processor.
 */
@NullMarked
package dev.ovation.background;

import org.jspecify.annotations.NullMarked;
