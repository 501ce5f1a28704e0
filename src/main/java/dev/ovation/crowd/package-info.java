/** Who reacted to what: the reactors of an entity, page by page, friends first, and of a user. */
@NullMarked
package dev.ovation.crowd;

import org.jspecify.annotations.NullMarked;
