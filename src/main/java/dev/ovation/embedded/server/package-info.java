/** Processes of the embedded servers: their data folder, passwords, ports, start and stop. */
@NullMarked
package dev.ovation.embedded.server;

import org.jspecify.annotations.NullMarked;
