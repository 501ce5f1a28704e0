/** Which entities have the highest counts, by a ranking that follows the counters. */
@NullMarked
package dev.ovation.ranking;

import org.jspecify.annotations.NullMarked;
