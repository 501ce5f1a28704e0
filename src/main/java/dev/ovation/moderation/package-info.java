/** Locks of entities, bans of users, and removals of one reaction from an entity. */
@NullMarked
package dev.ovation.moderation;

import org.jspecify.annotations.NullMarked;
