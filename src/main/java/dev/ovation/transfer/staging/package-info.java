/** Staging of the rows of an import, from the upload until they are merged. */
@NullMarked
package dev.ovation.transfer.staging;

import org.jspecify.annotations.NullMarked;
