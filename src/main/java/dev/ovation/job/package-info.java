/** Long work that survives requests and instances: leases and progress. */
@NullMarked
package dev.ovation.job;

import org.jspecify.annotations.NullMarked;
