/** Takes out all there is of a user, or of an entity's reactions, while others go on writing. */
@NullMarked
package dev.ovation.erasure;

import org.jspecify.annotations.NullMarked;
