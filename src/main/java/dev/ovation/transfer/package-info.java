/** Transfers: imports of reactions, users and friendships from files, and exports. */
@NullMarked
package dev.ovation.transfer;

import org.jspecify.annotations.NullMarked;
