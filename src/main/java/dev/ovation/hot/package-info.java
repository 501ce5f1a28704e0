/** Redis: the keys, the scripts that are the only writers, loading, and the fence. */
@NullMarked
package dev.ovation.hot;

import org.jspecify.annotations.NullMarked;
