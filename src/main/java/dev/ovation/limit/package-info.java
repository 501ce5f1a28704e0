/** Limits of callers: their quotas, the costs of requests, and the headers that tell of both. */
@NullMarked
package dev.ovation.limit;

import org.jspecify.annotations.NullMarked;
