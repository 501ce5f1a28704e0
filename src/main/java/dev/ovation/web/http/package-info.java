/** Answers and their JSON, and the id of each request. */
@NullMarked
package dev.ovation.web.http;

import org.jspecify.annotations.NullMarked;
