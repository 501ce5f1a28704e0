/** The forms of imported and exported files: CSV, NDJSON, and those of the contest. */
@NullMarked
package dev.ovation.transfer.file;

import org.jspecify.annotations.NullMarked;
