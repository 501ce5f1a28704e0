/** Long work that outlives requests and instances: who has taken it up, and how far it has come. */
@NullMarked
package dev.ovation.job;

import org.jspecify.annotations.NullMarked;
