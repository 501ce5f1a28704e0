/** Limits of callers: their quotas, the costs of requests, and the RateLimit headers. */
@NullMarked
package dev.ovation.limit;

import org.jspecify.annotations.NullMarked;
