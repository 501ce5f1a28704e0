/** Loads of entities and users from Postgres into Redis. */
@NullMarked
package dev.ovation.hot.load;

import org.jspecify.annotations.NullMarked;
