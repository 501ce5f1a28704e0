/** Adds to each failure what a reader needs: the seed, the last requests, the last output. */
package dev.ovation.testing.report;
