/**
 * Work without a waiting caller. One instance at a time does each job, and all jobs together stay
 * within a share of one processor.
 */
@NullMarked
package dev.ovation.background;

import org.jspecify.annotations.NullMarked;
