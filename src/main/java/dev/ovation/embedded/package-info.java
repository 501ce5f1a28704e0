/** Postgres and Redis from Maven Central, for a machine without either. */
@NullMarked
package dev.ovation.embedded;

import org.jspecify.annotations.NullMarked;
