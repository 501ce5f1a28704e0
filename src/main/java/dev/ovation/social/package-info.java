/** Names and friendships of users. */
@NullMarked
package dev.ovation.social;

import org.jspecify.annotations.NullMarked;
