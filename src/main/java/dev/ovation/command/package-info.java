/** The command line: calls of a running service, API keys, and the migration of the schema. */
@NullMarked
package dev.ovation.command;

import org.jspecify.annotations.NullMarked;
