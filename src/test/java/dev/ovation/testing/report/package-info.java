/** Adds debugging data to each failure: the seed, standstills, the last requests and output. */
package dev.ovation.testing.report;
