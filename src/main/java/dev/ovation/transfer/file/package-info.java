/** The forms of files that come and go: CSV, NDJSON, and those of the contest, as they are. */
@NullMarked
package dev.ovation.transfer.file;

import org.jspecify.annotations.NullMarked;
