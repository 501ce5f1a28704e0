/** Reads and proposals that share a run of a script. */
@NullMarked
package dev.ovation.hot.run;

import org.jspecify.annotations.NullMarked;
