package dev.ovation.simulation.app;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Judges answers by the contract and by earlier answers to the user. */
final class Answers {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String LIMIT = "max-uniq-reactions";
    private static final String CONSTRAINT = "constraint-violated";
    private static final String UNAVAILABLE = "reaction-not-available";

    private Answers() {}

    /** Judges an answer and passes it to its entities. */
    static Verdict judge(Call call, int status, String body) {
        try {
            return switch (call.operation()) {
                case GET, QUERY ->
                        status == 200 ? read(call, body) : unexpected(status, code(body));
                case POST, DELETE -> written(call, status, body);
            };
        } catch (JacksonException e) {
            call.entities().forEach(Entity::doubt);
            return unexpected(status, "without JSON");
        }
    }

    private static Verdict read(Call call, String body) {
        var root = JSON.readTree(body);
        var answers =
                call.operation() == Operation.QUERY
                        ? root.path("entities").values().stream().toList()
                        : List.of(root);
        if (answers.size() != call.entities().size()) {
            return Verdict.wrong("asked for other entities");
        }
        for (int i = 0; i < answers.size(); i++) {
            var wrong = contradiction(call, i, answers.get(i));
            if (wrong.isPresent()) {
                return Verdict.wrong(wrong.get());
            }
        }
        return Verdict.RIGHT;
    }

    private static Optional<String> contradiction(Call call, int place, JsonNode answer) {
        var entity = call.entities().get(place);
        if (!answer.path("entity_id").asString("").equals(entity.id())
                || !answer.at("/user_reactions/user_id").asString("").equals(call.user())) {
            return Optional.of("an answer for another entity or user than " + entity.id());
        }
        var counts = new HashMap<String, Long>();
        for (var count : answer.path("reactions_count")) {
            String reaction = count.path("reaction_id").asString();
            if (counts.put(reaction, count.path("count").asLong()) != null) {
                return Optional.of("two counts of " + reaction + " on " + entity.id());
            }
        }
        var own = new LinkedHashSet<String>();
        for (var each : answer.at("/user_reactions/reactions")) {
            String reaction = each.asString();
            if (!own.add(reaction)) {
                return Optional.of("twice the user's own " + reaction + " on " + entity.id());
            }
        }
        return entity.seen(call.asked(place), counts, own);
    }

    private static Verdict written(Call call, int status, String body) {
        var answer = JSON.readTree(body);
        if (status == 200) {
            if (!answer.path("status").asString("").equals("ok")) {
                call.entity().doubt();
                return Verdict.wrong("status 200 and not ok: " + body);
            }
            if (call.isTooYoung()) {
                call.entity().doubt();
                return Verdict.wrong("added for a user who is too young: " + call.reaction());
            }
            if (call.operation() == Operation.POST) {
                call.entity().added(call.reaction());
            } else {
                call.entity().removed(call.reaction());
            }
            return Verdict.RIGHT;
        }
        // Additions remove the reactions that they exclude, and removals are always allowed.
        boolean adds = call.operation() == Operation.POST;
        String code = answer.path("code").asString("");
        if (status == 403 && adds && mayBeRefused(call, code)) {
            return Verdict.refused(code);
        }
        if (!answer.path("outcome").asString("").equals("refused")) {
            call.entity().doubt();
        }
        return unexpected(status, code);
    }

    private static boolean mayBeRefused(Call call, String code) {
        return switch (code) {
            case LIMIT -> true;
            case CONSTRAINT -> call.entity().namespace().isConstrained();
            case UNAVAILABLE -> call.isTooYoung();
            default -> false;
        };
    }

    private static Verdict unexpected(int status, String what) {
        String sentence = "status " + status + " " + what;
        return status >= 500 ? Verdict.failed(sentence) : Verdict.wrong(sentence);
    }

    private static String code(String body) {
        return JSON.readTree(body).path("code").asString("");
    }
}
