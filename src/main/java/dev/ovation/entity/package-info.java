/** Which entity is meant, and in which partition it lives: the words that all modules share. */
@NullMarked
package dev.ovation.entity;

import org.jspecify.annotations.NullMarked;
