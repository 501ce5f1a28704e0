/** Audits of entities: counters, rows and hot state; and repairs on request. */
@NullMarked
package dev.ovation.audit;

import org.jspecify.annotations.NullMarked;
