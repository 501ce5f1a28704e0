/** One class for each Lua script, and their loader. */
@NullMarked
package dev.ovation.hot.script;

import org.jspecify.annotations.NullMarked;
