/** The people of entities: how many friends reacted, and a few users to show, with their names. */
@NullMarked
package dev.ovation.reaction.people;

import org.jspecify.annotations.NullMarked;
