/**
 * The service itself is killed, paused, overtaken, cut off, or of another age than its neighbour.
 */
package dev.ovation.faults.service;
