/**
 * Constraints that a configuration writes as CEL expressions: their types, and their translation to
 * programs that {@code constraints.lua} evaluates.
 */
@NullMarked
package dev.ovation.rules.constraint;

import org.jspecify.annotations.NullMarked;
