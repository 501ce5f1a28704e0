/** What browsers are told about pages of other origins (CORS). */
@NullMarked
package dev.ovation.gate.cors;

import org.jspecify.annotations.NullMarked;
