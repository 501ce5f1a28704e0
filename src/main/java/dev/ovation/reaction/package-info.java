/** Reactions: what clients ask for over HTTP, and the use cases that answer it. */
@NullMarked
package dev.ovation.reaction;

import org.jspecify.annotations.NullMarked;
