/** What every endpoint shares: problems, ids, queries, bodies, answers and limits. */
@NullMarked
package dev.ovation.web;

import org.jspecify.annotations.NullMarked;
