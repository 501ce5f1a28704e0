package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;

import java.util.stream.Stream;

/** Reads what an instance answers. */
final class Answers {

    private Answers() {}

    /** How a write ended; null when such an answer must not be. */
    static Outcome outcome(Answer answer) {
        if (answer.status() == 200) {
            return Outcome.OK;
        }
        if (answer.status() == 503 && !answer.body().startsWith("{")) {
            return Outcome.UNKNOWN; // of the container, which stops
        }
        String code = answer.json().at("/code").asString("");
        String outcome = answer.json().at("/outcome").asString("");
        return switch (answer.status() + " " + code) {
            case "403 reaction-already-exists" -> Outcome.EXISTS;
            case "403 conflicting-reaction" -> Outcome.CONFLICT;
            case "403 max-uniq-reactions" -> Outcome.LIMIT;
            case "409 idempotency-in-flight" -> Outcome.UNKNOWN;
            case "503 unavailable" -> outcome.equals("refused") ? Outcome.UNAVAILABLE : null;
            case "503 outcome-unknown" -> outcome.equals("unknown") ? Outcome.UNKNOWN : null;
            default -> null;
        };
    }

    /** What an entity says that the user has. */
    static int own(JsonNode entity) {
        return bits(entity.at("/user_reactions/reactions").valueStream());
    }

    /** What an entity shows at least once. */
    static int counted(JsonNode entity) {
        return bits(
                entity.at("/reactions_count")
                        .valueStream()
                        .filter(one -> one.at("/count").asLong() > 0)
                        .map(one -> one.at("/reaction_id")));
    }

    /** The part of a version that grows; the rest depends on who is shown what. */
    static String state(String version) {
        return version.substring(0, version.lastIndexOf('.'));
    }

    private static int bits(Stream<JsonNode> reactions) {
        return Place.bits(reactions.map(JsonNode::asString).toList());
    }
}
