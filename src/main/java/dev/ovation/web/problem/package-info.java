/** Problems as answers: the codes of the API, their details, and the counter of each code. */
@NullMarked
package dev.ovation.web.problem;

import org.jspecify.annotations.NullMarked;
