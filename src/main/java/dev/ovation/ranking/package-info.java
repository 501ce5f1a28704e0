/** Rankings of entities by count, which follow the counters. */
@NullMarked
package dev.ovation.ranking;

import org.jspecify.annotations.NullMarked;
