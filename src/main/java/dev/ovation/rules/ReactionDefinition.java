package dev.ovation.rules;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * A reaction as configured.
 *
 * @param id the spelling in which it is always answered; compared by its {@link ReactionKey}
 * @param type {@code unicode} (then {@code code} is there) or {@code custom} (then {@code url} is)
 * @param value what it counts in a rating, without trailing zeros
 */
public record ReactionDefinition(
        String id,
        @Nullable String shortName,
        String type,
        @Nullable String code,
        @Nullable String url,
        @Nullable BigDecimal value) {}
