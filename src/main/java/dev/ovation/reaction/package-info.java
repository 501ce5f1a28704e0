/** Reactions: the HTTP requests of clients, and the use cases that answer them. */
@NullMarked
package dev.ovation.reaction;

import org.jspecify.annotations.NullMarked;
