/** Java parts of the scripts in {@code bench}: servers, data, load at a constant rate, reports. */
package dev.ovation.bench;
