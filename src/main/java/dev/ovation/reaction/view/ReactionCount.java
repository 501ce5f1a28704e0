package dev.ovation.reaction.view;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * The count of one reaction on an entity.
 *
 * @param count above 0
 * @param firstAt time when the count last rose from 0, in microseconds since 1970
 * @param lastAt time of the newest addition since then, in microseconds since 1970
 * @param retired whether the namespace's set lacks the reaction
 * @param value value of one such reaction in a rating, or null
 */
public record ReactionCount(
        String reaction,
        long count,
        long firstAt,
        long lastAt,
        boolean retired,
        @Nullable BigDecimal value) {}
