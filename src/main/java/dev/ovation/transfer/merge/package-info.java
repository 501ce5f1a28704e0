/** Merges of staged rows into the tables, and the rule scan after an import. */
@NullMarked
package dev.ovation.transfer.merge;

import org.jspecify.annotations.NullMarked;
