/** Views of an entity and of a screen: in the spelling of the rules, with versions, as JSON. */
@NullMarked
package dev.ovation.reaction.view;

import org.jspecify.annotations.NullMarked;
