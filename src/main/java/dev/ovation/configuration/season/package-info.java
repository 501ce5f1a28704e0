/** Reactions for a season and an audience: what is available now, and single additions. */
@NullMarked
package dev.ovation.configuration.season;

import org.jspecify.annotations.NullMarked;
