/** Users' names, and who is whose friend. */
@NullMarked
package dev.ovation.social;

import org.jspecify.annotations.NullMarked;
