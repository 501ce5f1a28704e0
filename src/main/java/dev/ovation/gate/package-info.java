/** The gate before everything: who calls, and whether the handler may be called. */
@NullMarked
package dev.ovation.gate;

import org.jspecify.annotations.NullMarked;
