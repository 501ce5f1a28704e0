/** Credentials: API keys and users' tokens, and the principals that they stand for. */
@NullMarked
package dev.ovation.credential;

import org.jspecify.annotations.NullMarked;
