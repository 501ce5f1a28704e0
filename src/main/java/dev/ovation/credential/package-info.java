/** Credentials: API keys and users' tokens, and their principals. */
@NullMarked
package dev.ovation.credential;

import org.jspecify.annotations.NullMarked;
