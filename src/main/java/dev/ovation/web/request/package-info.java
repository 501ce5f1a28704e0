/** Parts of a request, checked: query parameters, bodies, ids, cursors and page limits. */
@NullMarked
package dev.ovation.web.request;

import org.jspecify.annotations.NullMarked;
