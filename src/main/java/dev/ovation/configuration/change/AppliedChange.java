package dev.ovation.configuration.change;

import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Result of a change of the configuration, or of its rehearsal.
 *
 * @param version the version in force
 * @param changes the differences from the version before, a sentence each
 * @param impact the effects on stored reactions
 * @param announced whether every partition has the version; if not, it will once Redis answers
 */
public record AppliedChange(
        long version, List<String> changes, List<Impact> impact, boolean announced) {

    /** Returns the members of the answer. */
    public Map<String, Object> json() {
        checkAnnounced();
        var json = new LinkedHashMap<String, Object>();
        json.put("status", "ok");
        json.put("version", version);
        json.put("changes", changes);
        json.put("impact", impact.stream().map(Impact::json).toList());
        return json;
    }

    /** Returns the answer with the version as its entity tag. */
    public HttpAnswer answer() {
        return tagged(json());
    }

    /** Returns the answer that clients of the older service know, unless something is affected. */
    public HttpAnswer shortAnswer() {
        checkAnnounced();
        var json = new LinkedHashMap<String, Object>();
        json.put("status", "ok");
        if (!impact.isEmpty()) {
            json.put("impact", impact.stream().map(Impact::json).toList());
        }
        return tagged(json);
    }

    private HttpAnswer tagged(Map<String, Object> json) {
        return HttpAnswer.json(json).header("ETag", RequestedChange.tag(version));
    }

    /**
     * Checks that every partition has the version.
     *
     * @throws dev.ovation.web.problem.ProblemException 503 otherwise: the version is stored, and
     *     not yet in force everywhere
     */
    public void checkAnnounced() {
        if (!announced) {
            throw Problems.outcomeUnknown(
                    "version %d is stored and will be in force as soon as Redis answers"
                            .formatted(version),
                    Duration.ofSeconds(1));
        }
    }
}
