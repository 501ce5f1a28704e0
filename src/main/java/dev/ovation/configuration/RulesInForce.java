package dev.ovation.configuration;

import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.RuleSet;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.web.http.ContentHash;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;

/**
 * One version of the configuration, complete and immutable: a request uses one from beginning to
 * end.
 *
 * @param version its number; 0 before the first
 * @param source description of its source, for people
 * @param hash hash of that source, and of the seasonal reactions beside it
 * @param since time of storage
 * @param configuration the rules
 * @param spellings last spelling of every reaction that was ever configured, by key
 */
public record RulesInForce(
        long version,
        String source,
        String hash,
        Instant since,
        RuleSet configuration,
        Map<String, String> spellings) {

    /** Returns the hash of the source without the seasonal reactions beside it. */
    public String sourceHash() {
        return sourceHash(hash);
    }

    private static String sourceHash(String hash) {
        int end = hash.indexOf(ConfigurationTable.ADDITION);
        return end < 0 ? hash : hash.substring(0, end);
    }

    /** Returns the hash of rules: that of their source, and of the seasonal reactions beside it. */
    static String hash(String sourceHash, RuleSet rules) {
        return rules.seasonal().isEmpty()
                ? sourceHash
                : sourceHash
                        + ConfigurationTable.ADDITION
                        + ContentHash.of(Json.bytes(rules.seasonal()));
    }

    /** Returns the rules of a namespace; null when there is none of that id. */
    public @Nullable NamespaceRules namespace(String id) {
        return configuration.namespace(id);
    }

    /** Returns the key by which a namespace compares a reaction id in any spelling. */
    public String key(String namespace, String reactionId) {
        NamespaceRules its = namespace(namespace);
        return its == null ? ReactionKey.of(reactionId) : its.keyOf(reactionId);
    }

    /**
     * Returns the spelling of a reaction: its current or last configured one, otherwise its key.
     */
    public String spelling(String reactionKey) {
        return spellings.getOrDefault(reactionKey, reactionKey);
    }
}
