/**
 * State in Redis: keys, events, fences, proposals, and the settings and measurements of all of it.
 */
@NullMarked
package dev.ovation.hot.state;

import org.jspecify.annotations.NullMarked;
