/** Statements that count entities anew. */
@NullMarked
package dev.ovation.audit.tally;

import org.jspecify.annotations.NullMarked;
