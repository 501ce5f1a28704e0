/**
 * Selects tests by the servers that they need, and repeats them: the quick lane and the stress
 * script.
 */
package dev.ovation.testing.lanes;
