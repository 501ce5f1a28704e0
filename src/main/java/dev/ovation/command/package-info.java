/** The command line: imports and exports through a running service, and API keys. */
@NullMarked
package dev.ovation.command;

import org.jspecify.annotations.NullMarked;
