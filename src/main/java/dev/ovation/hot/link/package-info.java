/** Connections to Redis, their addresses and errors. */
@NullMarked
package dev.ovation.hot.link;

import org.jspecify.annotations.NullMarked;
