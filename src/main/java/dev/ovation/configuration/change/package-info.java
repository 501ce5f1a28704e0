/** Requested changes of the configuration, and their impact on stored reactions. */
@NullMarked
package dev.ovation.configuration.change;

import org.jspecify.annotations.NullMarked;
