package dev.ovation.rules;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * A reaction as configured.
 *
 * @param id the spelling of answers; compared by its {@link ReactionKey}
 * @param type {@code unicode}, with {@code code}, or {@code custom}, with {@code url}
 * @param value its value in a rating, without trailing zeros
 * @param available when and by whom it can be added; null for always and by everybody
 */
public record ReactionDefinition(
        String id,
        @Nullable String shortName,
        String type,
        @Nullable String code,
        @Nullable String url,
        @Nullable BigDecimal value,
        @Nullable Availability available) {

    /** Creates a reaction that everybody can always add. */
    public ReactionDefinition(
            String id,
            @Nullable String shortName,
            String type,
            @Nullable String code,
            @Nullable String url,
            @Nullable BigDecimal value) {
        this(id, shortName, type, code, url, value, null);
    }
}
