/** Users that scroll topics and react, as in the simulation of the thesis, checked and measured. */
package dev.ovation.simulation;
