package dev.ovation.reaction.view;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * How often an entity shows a reaction.
 *
 * @param count above 0
 * @param firstAt when the count last rose from 0, in microseconds since 1970
 * @param lastAt the newest addition since then, in microseconds since 1970
 * @param retired whether the namespace's set no longer has it
 * @param value what one such reaction counts in a rating, or null
 */
public record ReactionCount(
        String reaction,
        long count,
        long firstAt,
        long lastAt,
        boolean retired,
        @Nullable BigDecimal value) {}
