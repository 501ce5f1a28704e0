/** Principals, and the scopes that they hold: what a caller may do. */
@NullMarked
package dev.ovation.access;

import org.jspecify.annotations.NullMarked;
