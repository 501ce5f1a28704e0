/** The nodes of a Redis Cluster, and the partitions that each of them holds. */
@NullMarked
package dev.ovation.hot.cluster;

import org.jspecify.annotations.NullMarked;
