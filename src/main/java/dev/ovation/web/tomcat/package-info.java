/** How Tomcat is set up: lenient about queries, strict about everything it answers. */
@NullMarked
package dev.ovation.web.tomcat;

import org.jspecify.annotations.NullMarked;
