/** The command line beside the service: imports and exports by way of a service that runs. */
@NullMarked
package dev.ovation.command;

import org.jspecify.annotations.NullMarked;
