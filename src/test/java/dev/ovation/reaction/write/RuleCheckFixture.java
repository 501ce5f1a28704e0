package dev.ovation.reaction.write;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.ChangeKind;
import dev.ovation.reaction.attribute.RequestAttributes;
import dev.ovation.rules.reader.RulesFixture;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Rule checks of commands on one entity. The namespace {@code posts} has three reactions, of which
 * one excludes both others. Another reaction is configured outside its set.
 */
final class RuleCheckFixture {

    static final String LIKE = "👍";
    static final String DISLIKE = "👎";

    /** Key of a reaction that is configured with a variation selector. */
    static final String HEART = "\u2764";

    static final String SPELLED_HEART = "\u2764\uFE0F";

    /** Key of a reaction that is not configured any more, and was, with a variation selector. */
    static final String PLANE = "\u2708";

    static final String SPELLED_PLANE = "\u2708\uFE0F";

    static final int LIMIT = 2;

    static final Instant NOW = Instant.parse("2026-12-24T12:00:00Z");

    private static final String RULES =
            """
            reactions:
            - {id: "👍", type: unicode, code: "👍"}
            - {id: "👎", type: unicode, code: "👎"}
            - {id: "\\u2764\\uFE0F", type: unicode, code: "h"}
            - {id: outside, type: unicode, code: "o"}
            - {id: xmas, type: unicode, code: "x", available: {until: "2026-12-24T18:00:00Z"}}
            - {id: soon, type: unicode, code: "n", available: {from: "2026-12-24T12:00:01Z"}}
            - {id: gone, type: unicode, code: "g", available: {until: "2026-12-24T12:00:00Z"}}
            - {id: beer, type: unicode, code: "b", available: {audience: {age: {min: 18}}}}
            reaction_sets:
            - {id: s, reaction_ids: ["👍", "👎", "\\u2764\\uFE0F"]}
            - {id: seasons, reaction_ids: ["👍", xmas, soon, gone, beer]}
            namespaces:
            - {id: seasons, reaction_set_id: seasons, max_uniq_reactions: 9}
            - id: posts
              reaction_set_id: s
              max_uniq_reactions: 2
              mutually_exclusive_reactions: [["👍", "👎"], ["👎", "\\u2764\\uFE0F"]]
            """;

    private RuleCheckFixture() {}

    static RulesInForce rules(long version) {
        return new RulesInForce(
                version,
                "test",
                "",
                Instant.EPOCH,
                RulesFixture.yaml(RULES),
                Map.of(PLANE, SPELLED_PLANE));
    }

    /** A check of a change of ann's reactions by version 3 of the rules. */
    static RuleCheck check(ChangeKind kind, String... reactions) {
        return check("posts", kind, reactions);
    }

    static RuleCheck check(String namespace, ChangeKind kind, String... reactions) {
        return new RuleCheck(rules(3), command(namespace, kind, reactions), false, NOW, _ -> true);
    }

    /** A check of a change in the namespace {@code seasons}, of a user of this age. */
    static RuleCheck check(long age, ChangeKind kind, String... reactions) {
        var attributes = new RequestAttributes(Map.of("age", age), Map.of());
        Command command = command("seasons", kind, reactions).with(attributes);
        return new RuleCheck(rules(3), command, false, NOW, _ -> true);
    }

    /** A check whose results have the state of the entity. */
    static RuleCheck checkWithState(long version) {
        return new RuleCheck(
                rules(version), command("posts", ChangeKind.ADD, LIKE), true, NOW, _ -> true);
    }

    private static Command command(String namespace, ChangeKind kind, String... reactions) {
        return new Command(
                kind,
                namespace,
                "1",
                "ann",
                List.of(reactions),
                false,
                false,
                null,
                IfMatch.ANY,
                RequestAttributes.NONE);
    }
}
