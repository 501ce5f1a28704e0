package dev.ovation.rules;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * A reaction as configured.
 *
 * @param id the spelling of answers; compared by its {@link ReactionKey}
 * @param type {@code unicode}, with {@code code}, or {@code custom}, with {@code url}
 * @param value its value in a rating, without trailing zeros
 */
public record ReactionDefinition(
        String id,
        @Nullable String shortName,
        String type,
        @Nullable String code,
        @Nullable String url,
        @Nullable BigDecimal value) {}
