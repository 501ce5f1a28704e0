/**
 * The log of committed changes for consumers outside: its rows, its periods, and whether it is
 * open.
 */
@NullMarked
package dev.ovation.store.log;

import org.jspecify.annotations.NullMarked;
