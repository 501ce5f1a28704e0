/** Wiring of Spring MVC: answers, problems, request ids and direct routes. */
@NullMarked
package dev.ovation.web;

import org.jspecify.annotations.NullMarked;
