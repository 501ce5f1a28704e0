package dev.ovation.testing;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A configuration: the namespaces that all tests of {@link TwoInstances} share, and further ones of
 * a test. To put it in force does not change the shared ones.
 */
public final class TestRules {

    /** An id with characters that are special in paths, queries, keys and templates. */
    public static final String ODD = "/a\\b;c%2F..|{d}:e?f=g&h #+\"'<👩‍💻>";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<Map<String, Object>> reactions = new ArrayList<>();
    private final List<Map<String, Object>> sets = new ArrayList<>();
    private final List<Map<String, Object>> namespaces = new ArrayList<>();

    private TestRules() {}

    /** The shared namespaces alone. */
    public static TestRules shared() {
        var rules = new TestRules();
        var emoji = List.of("👍", "👎", "❤️", "👍🏽", "👩‍💻", "☺", "é", "🎉", ODD);
        var letters = List.of("a", "b", "c", "d", "e", "f");
        var older =
                List.of(
                        "reaction1",
                        "reaction2",
                        "reaction3",
                        "free_reaction1",
                        "free_reaction2",
                        "free_reaction3",
                        "free_reaction4",
                        "free_reaction5",
                        "free_reaction6");
        emoji.forEach(rules::reaction);
        letters.forEach(rules::reaction);
        older.forEach(rules::reaction);
        rules.reaction("like");
        rules.picture("party", "Party", "https://example.com/party.webp");
        for (String stars : List.of("5", "4", "3", "2", "1.5")) {
            rules.rating(stars, stars);
        }
        rules.set("emoji", emoji)
                .set("letters", letters)
                .set("reaction_set", older)
                .set("stars", List.of("5", "4", "3", "2", "1.5"))
                .set("mixed", List.of("party", "5", "a"))
                .set("likes", List.of("like"));
        return rules.namespace("posts", "emoji", 20, List.of(List.of("👍", "👎", "👍🏽")))
                .namespace("letters", "letters", 6, List.of(List.of("a", "b"), List.of("b", "c")))
                .namespace("pairs", "letters", 2, List.of(List.of("a", "b")))
                .namespace("single", "letters", 1, List.of())
                .namespace("closed", "letters", 0, List.of())
                .namespace("mixed", "mixed", 3, List.of())
                .namespace("pcc", "likes", 1, List.of())
                .namespace("moved", "letters", 5, List.of())
                .namespace("snapshots", "letters", 5, List.of())
                .constrained(
                        "three",
                        Map.of(),
                        "size(user.reactions) + size(added) - size(removed) <= 3")
                .constrained(
                        "slow",
                        Map.of(),
                        "user.last_reacted_at == null || now - user.last_reacted_at >= duration('24h')")
                .constrained(
                        "adults", Map.of("age", "int"), "!('f' in added) || attributes.age >= 18")
                .constrained(
                        "month",
                        Map.of(),
                        "entity.first_reacted_at == null || now - entity.first_reacted_at <= duration('720h')")
                .constrained(
                        "thousand", Map.of(), "entity.total + size(added) - size(removed) <= 1000")
                .constrained(
                        "members",
                        Map.of("roles", "list", "country", "string"),
                        "'member' in attributes.roles")
                .constrained(
                        "staff",
                        Map.of("roles", Map.of("type", "list", "from", "token")),
                        "'staff' in attributes.roles")
                .constrained("frozen", Map.of(), "op == ''")
                .open("chat", "emoji", "fold", List.of("👍", "❤️"), 20, 2)
                .open("walls", "any", "keep", List.of("a"), 9, 9)
                .namespace("ratings", "stars", 5, List.of(List.of("5", "4", "3", "2", "1.5")))
                .namespace(
                        "namespace",
                        "reaction_set",
                        5,
                        List.of(
                                List.of("reaction1", "reaction2"),
                                List.of("reaction2", "reaction3")));
    }

    /** Adds a reaction whose display is its own id. */
    public TestRules reaction(String id) {
        reactions.add(ordered("id", id, "type", "unicode", "code", id));
        return this;
    }

    /** Adds a reaction that is available as this JSON says. */
    public TestRules reaction(String id, String available) {
        reactions.add(
                ordered(
                        "id",
                        id,
                        "type",
                        "unicode",
                        "code",
                        id,
                        "available",
                        JSON.readTree(available)));
        return this;
    }

    /** Adds a reaction with a value. */
    public TestRules rating(String id, String value) {
        reactions.add(ordered("id", id, "type", "unicode", "code", "⭐", "value", value));
        return this;
    }

    public TestRules picture(String id, String name, String url) {
        reactions.add(ordered("id", id, "short_name", name, "type", "custom", "url", url));
        return this;
    }

    public TestRules set(String id, List<String> reactionIds) {
        sets.add(ordered("id", id, "reaction_ids", reactionIds));
        return this;
    }

    public TestRules namespace(String id, String set, int limit, List<List<String>> exclusive) {
        namespaces.add(
                ordered(
                        "id",
                        id,
                        "reaction_set_id",
                        set,
                        "max_uniq_reactions",
                        limit,
                        "mutually_exclusive_reactions",
                        exclusive));
        return this;
    }

    /** Adds a namespace of letters with one constraint, whose id is that of the namespace. */
    public TestRules constrained(String id, Map<String, ?> attributes, String expression) {
        return constrained(id, "letters", 8, List.of(), attributes, Map.of(id, expression));
    }

    /** Adds a namespace with constraints: expressions by their ids, in this order. */
    public TestRules constrained(
            String id,
            String set,
            int limit,
            List<List<String>> exclusive,
            Map<String, ?> attributes,
            Map<String, String> expressions) {
        var constraints = new ArrayList<Map<String, Object>>();
        expressions.forEach(
                (constraint, expression) ->
                        constraints.add(
                                ordered(
                                        "id",
                                        constraint,
                                        "expression",
                                        expression,
                                        "message",
                                        "the namespace is " + id)));
        namespaces.add(
                ordered(
                        "id",
                        id,
                        "reaction_set_id",
                        set,
                        "max_uniq_reactions",
                        limit,
                        "mutually_exclusive_reactions",
                        exclusive,
                        "attributes",
                        attributes,
                        "constraints",
                        constraints));
        return this;
    }

    /** Adds a namespace with an open set of its own. */
    public TestRules open(
            String id, String open, String tones, List<String> listed, int limit, int ofUser) {
        sets.add(ordered("id", id, "reaction_ids", listed, "open", open, "skin_tones", tones));
        namespaces.add(
                ordered(
                        "id",
                        id,
                        "reaction_set_id",
                        id,
                        "max_uniq_reactions",
                        limit,
                        "max_reactions_per_user",
                        ofUser));
        return this;
    }

    /** Adds a namespace with a set of its own. */
    public TestRules namespace(String id, int limit, String... reactionIds) {
        return set("of " + id, List.of(reactionIds)).namespace(id, "of " + id, limit, List.of());
    }

    /** Writes the three files. */
    public TestRules writeTo(Path directory) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("reactions.yaml"), list(reactions));
            Files.writeString(directory.resolve("reaction_sets.yaml"), list(sets));
            Files.writeString(directory.resolve("namespaces.yaml"), list(namespaces));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The configuration as one JSON body, which is YAML, too. */
    public String json() {
        return JSON.writeValueAsString(
                ordered("reactions", reactions, "reaction_sets", sets, "namespaces", namespaces));
    }

    /** Formats one item per line. */
    private static String list(List<Map<String, Object>> items) {
        var lines = new StringBuilder();
        items.forEach(
                item -> lines.append("- ").append(JSON.writeValueAsString(item)).append('\n'));
        return lines.toString();
    }

    private static Map<String, Object> ordered(Object... pairs) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
