/**
 * What an entity shows, and a screen of them: in the words of the rules, with versions, as JSON.
 */
@NullMarked
package dev.ovation.reaction.view;

import org.jspecify.annotations.NullMarked;
