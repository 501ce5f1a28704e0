/** Chooses tests by what they need, and repeats them: the quick lane and the stress script. */
package dev.ovation.testing.lanes;
