/** Checks before a handler works: scope, rate limit and concurrency. */
@NullMarked
package dev.ovation.web.guard;

import org.jspecify.annotations.NullMarked;
