/** Ovation, the reactions engine: the service's entry point. */
@NullMarked
package dev.ovation;

import org.jspecify.annotations.NullMarked;
