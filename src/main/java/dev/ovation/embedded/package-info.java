/** Postgres and Redis from Maven Central, for a machine on which nobody has set up either. */
@NullMarked
package dev.ovation.embedded;

import org.jspecify.annotations.NullMarked;
