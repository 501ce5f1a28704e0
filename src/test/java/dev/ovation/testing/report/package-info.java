/** Adds debugging data to each failure: the seed, the last requests, the last output. */
package dev.ovation.testing.report;
