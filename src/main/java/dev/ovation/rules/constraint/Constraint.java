package dev.ovation.rules.constraint;

/**
 * A condition that a change must meet, as it is configured.
 *
 * @param id names it in refusals
 * @param expression boolean expression in CEL
 * @param message detail of the refusal, for people
 */
public record Constraint(String id, String expression, String message) {}
