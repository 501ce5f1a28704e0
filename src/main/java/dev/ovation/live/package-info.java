/** Streams of committed states to watchers of entities, and the component that shows them. */
@NullMarked
package dev.ovation.live;

import org.jspecify.annotations.NullMarked;
