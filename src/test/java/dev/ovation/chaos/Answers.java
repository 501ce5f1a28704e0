package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads what an instance answers. */
final class Answers {

    private Answers() {}

    /** How a write ended; null when such an answer must not be. */
    static Outcome outcome(Answer answer) {
        if (answer.status() == 200) {
            return Outcome.OK;
        }
        if (answer.status() == 202) {
            return ofAJob(answer.json().at("/state").asString());
        }
        if (answer.status() == 503 && !answer.body().startsWith("{")) {
            return Outcome.UNKNOWN; // of the container, which stops
        }
        return outcome(answer.json());
    }

    /**
     * Of one that is not at its end nobody knows whether it was applied; it is to be asked again.
     */
    private static Outcome ofAJob(String state) {
        return switch (state) {
            case "done" -> Outcome.OK;
            case "waiting", "running" -> Outcome.UNKNOWN;
            default -> null;
        };
    }

    /** How each operation of a batch ended; null when it must not be answered so. */
    static List<Outcome> outcomes(Answer answer) {
        var outcomes = new ArrayList<Outcome>();
        for (JsonNode each : answer.json().at("/results")) {
            String said = each.at("/outcome").asString("");
            Outcome outcome =
                    switch (said) {
                        case "applied", "unchanged" -> Outcome.OK;
                        default -> outcome(each.at("/problem"));
                    };
            boolean refused = outcome != Outcome.OK && outcome != Outcome.UNKNOWN;
            boolean contradicts =
                    said.equals("refused") != refused
                            || said.equals("unknown") != (outcome == Outcome.UNKNOWN);
            outcomes.add(contradicts ? null : outcome);
        }
        return outcomes;
    }

    private static Outcome outcome(JsonNode problem) {
        String code = problem.at("/code").asString("");
        String outcome = problem.at("/outcome").asString("");
        return switch (problem.at("/status").asInt(0) + " " + code) {
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
