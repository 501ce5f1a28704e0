/** Entities and their partitions: the terms that all modules share. */
@NullMarked
package dev.ovation.entity;

import org.jspecify.annotations.NullMarked;
