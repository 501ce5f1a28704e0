/** Reactions, reaction sets and namespaces: reading and checking them, and the rules in force. */
@NullMarked
package dev.ovation.namespace;

import org.jspecify.annotations.NullMarked;
