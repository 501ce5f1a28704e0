package dev.ovation.configuration;

import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.RuleSet;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;

/**
 * One version of the configuration, complete and immutable: a request uses one from beginning to
 * end.
 *
 * @param version its number; 0 before the first
 * @param source where it came from, for people
 * @param hash hash of that source
 * @param since when it was stored
 * @param configuration the rules
 * @param spellings how every reaction that was ever configured was last spelled, by key
 */
public record RulesInForce(
        long version,
        String source,
        String hash,
        Instant since,
        RuleSet configuration,
        Map<String, String> spellings) {

    /** Returns the rules of a namespace; null when there is none of that id. */
    public @Nullable NamespaceRules namespace(String id) {
        return configuration.namespace(id);
    }

    /** Returns how a reaction is spelled: as configured now or last, otherwise as its key. */
    public String spelling(String reactionKey) {
        return spellings.getOrDefault(reactionKey, reactionKey);
    }
}
