/** A user's app without its network: what it shows, does next, and was told. */
package dev.ovation.simulation.app;
