/** Cross-origin resource sharing (CORS): answers for pages of other origins. */
@NullMarked
package dev.ovation.gate.cors;

import org.jspecify.annotations.NullMarked;
