/** The four strategies of the thesis to store reactions in Postgres alone, and their comparison. */
package dev.ovation.strategies;
