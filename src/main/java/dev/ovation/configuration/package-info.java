/** Which configuration is in force: its versions, how they are applied, and their endpoints. */
@NullMarked
package dev.ovation.configuration;

import org.jspecify.annotations.NullMarked;
