/** Fills filters of high-cardinality entities from Postgres. */
@NullMarked
package dev.ovation.hot.filter;

import org.jspecify.annotations.NullMarked;
