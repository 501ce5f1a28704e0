/** The four ways of the thesis to keep reactions in Postgres alone, and how to race them. */
package dev.ovation.strategies;
