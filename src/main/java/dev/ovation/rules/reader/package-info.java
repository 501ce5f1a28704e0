/** Parses and validates rule sets from YAML files, request bodies and archives. */
@NullMarked
package dev.ovation.rules.reader;

import org.jspecify.annotations.NullMarked;
