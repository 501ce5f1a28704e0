/** The configuration in force: its versions, their application, and their endpoints. */
@NullMarked
package dev.ovation.configuration;

import org.jspecify.annotations.NullMarked;
