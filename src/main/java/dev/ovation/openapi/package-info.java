/** The OpenAPI document of the whole service, and the page that shows it. */
@NullMarked
package dev.ovation.openapi;

import org.jspecify.annotations.NullMarked;
