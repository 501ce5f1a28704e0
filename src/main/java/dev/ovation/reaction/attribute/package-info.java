/** Attributes of writes for constraints: from bodies and tokens, checked by declared types. */
@NullMarked
package dev.ovation.reaction.attribute;

import org.jspecify.annotations.NullMarked;
