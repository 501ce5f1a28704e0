/** Storage of versions of the configuration, their publication to Redis, and their metrics. */
@NullMarked
package dev.ovation.configuration.version;

import org.jspecify.annotations.NullMarked;
