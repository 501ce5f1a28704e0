/**
 * Looks, entity by entity, whether counters, rows and hot state still agree, and mends on demand.
 */
@NullMarked
package dev.ovation.audit;

import org.jspecify.annotations.NullMarked;
