package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Parses the answers of an instance. */
final class Answers {

    private Answers() {}

    /** Outcome of a write; null for an answer that the API does not allow. */
    static Outcome outcome(Answer answer) {
        if (answer.status() == 200) {
            return Outcome.OK;
        }
        if (answer.status() == 202) {
            return ofAJob(answer.json().at("/state").asString());
        }
        if (answer.status() == 503 && !answer.body().startsWith("{")) {
            return Outcome.UNKNOWN; // the container's answer while it stops
        }
        return outcome(answer.json());
    }

    /** A job that has not ended has an unknown outcome; its client asks again. */
    private static Outcome ofAJob(String state) {
        return switch (state) {
            case "done" -> Outcome.OK;
            case "waiting", "running" -> Outcome.UNKNOWN;
            default -> null;
        };
    }

    /** Outcomes of the operations of a batch; null for an answer that the API does not allow. */
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
            case "403 too-many-reactions" -> Outcome.TOO_MANY;
            case "403 unknown-reaction" -> Outcome.FOREIGN;
            case "403 entity-locked" -> Outcome.LOCKED;
            case "403 user-banned" -> Outcome.BANNED;
            case "403 reaction-not-available" -> Outcome.CLOSED;
            case "403 constraint-violated" ->
                    Term.refusalBy(problem.at("/constraint").asString(""));
            case "409 idempotency-in-flight" -> Outcome.UNKNOWN;
            case "503 unavailable" -> outcome.equals("refused") ? Outcome.UNAVAILABLE : null;
            case "503 outcome-unknown" -> outcome.equals("unknown") ? Outcome.UNKNOWN : null;
            default -> null;
        };
    }

    /** The state of the viewer on an entity, according to an answer. */
    static int own(Place place, JsonNode entity) {
        return place.bits(texts(entity.at("/user_reactions/reactions").valueStream()));
    }

    /** Reactions that an entity shows with a count of at least one. */
    static int counted(Place place, JsonNode entity) {
        return place.space()
                .countedBits(
                        texts(
                                entity.at("/reactions_count")
                                        .valueStream()
                                        .filter(one -> one.at("/count").asLong() > 0)
                                        .map(one -> one.at("/reaction_id"))));
    }

    /** Whether an answer shows that the entity is locked. */
    static boolean isLocked(JsonNode entity) {
        return entity.at("/locked").asBoolean(false);
    }

    /**
     * Part of a version that grows; the rest depends on the viewer and the content of the answer.
     */
    static String state(String version) {
        return version.substring(0, version.lastIndexOf('.'));
    }

    /** Counts of the reactions in an answer or an event, by the names that Postgres has. */
    static Map<String, Long> counts(Place place, JsonNode entity) {
        var counts = new TreeMap<String, Long>();
        for (JsonNode each : entity.at("/reactions_count")) {
            String key = place.space().keyOf(each.at("/reaction_id").asString());
            counts.put(key, each.at("/count").asLong());
        }
        return counts;
    }

    /** Number of the state of an entity, which is the middle or the end of a version. */
    static long number(String version) {
        return Long.parseLong(version.split("\\.")[1]);
    }

    private static List<String> texts(Stream<JsonNode> reactions) {
        return reactions.map(JsonNode::asString).toList();
    }
}
