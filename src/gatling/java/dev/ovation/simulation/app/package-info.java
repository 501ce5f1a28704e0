/** A user's app without its network: its screen, its next actions, and the answers that it got. */
package dev.ovation.simulation.app;
