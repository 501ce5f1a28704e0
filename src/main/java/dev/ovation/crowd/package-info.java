/** Lists of reactors: of an entity, page by page, friends first; and the reactions of a user. */
@NullMarked
package dev.ovation.crowd;

import org.jspecify.annotations.NullMarked;
