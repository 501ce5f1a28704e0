/** Long work that outlives requests and instances: its holder and its progress. */
@NullMarked
package dev.ovation.job;

import org.jspecify.annotations.NullMarked;
