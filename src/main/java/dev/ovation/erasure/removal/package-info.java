/** Statements that delete reactions of some entities, or return hidden ones. */
@NullMarked
package dev.ovation.erasure.removal;

import org.jspecify.annotations.NullMarked;
