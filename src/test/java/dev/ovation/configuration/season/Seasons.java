package dev.ovation.configuration.season;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.rules.Availability;
import dev.ovation.rules.Namespace;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Rules whose namespace {@code posts} has these reactions. */
final class Seasons {

    static final Instant NOON = Instant.parse("2026-12-24T12:00:00Z");

    private Seasons() {}

    static ReactionDefinition reaction(String id, Availability available) {
        return new ReactionDefinition(id, null, "unicode", id, null, null, available);
    }

    static RulesInForce rules(List<ReactionDefinition> reactions) {
        var ids = reactions.stream().map(ReactionDefinition::id).toList();
        var rules =
                new RuleSet(
                        reactions,
                        List.of(new ReactionSet("s", ids)),
                        List.of(new Namespace("posts", "s", 9, List.of())));
        return new RulesInForce(1, "test", "", Instant.EPOCH, rules, Map.of());
    }

    static List<String> ids(byte[] json) {
        return JsonMapper.shared()
                .readTree(json)
                .get("reactions")
                .valueStream()
                .map((JsonNode each) -> each.get("id").stringValue())
                .toList();
    }
}
