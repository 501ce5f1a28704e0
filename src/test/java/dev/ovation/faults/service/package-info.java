/** Kills, pauses, delays and disconnects the service itself, or mixes its releases. */
package dev.ovation.faults.service;
