/**
 * The configured rules as immutable values: reactions, reaction sets, namespaces and the rule set
 * that holds them.
 */
@NullMarked
package dev.ovation.rules;

import org.jspecify.annotations.NullMarked;
