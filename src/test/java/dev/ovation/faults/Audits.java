package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Audits of an instance over HTTP. */
record Audits(Instance instance) {

    static final String ALL = "namespace_id=" + Stage.NOTES + "&sample=1000";

    /** Audits the entities that the query selects. */
    JsonNode audit(String query) {
        var answer = new Instance.Answer[1];
        Wait.until(
                "an audit is not refused, as when a busy machine is slow to answer",
                () -> {
                    answer[0] = instance.send("POST", "/actuator/audit?" + query, null);
                    return answer[0].status() != 503;
                });
        assertThat(answer[0].status()).as(answer[0].body()).isEqualTo(200);
        return answer[0].json();
    }

    /** Drift of an entity, as in {@code postgres count 👍: 3 instead of 2}. */
    List<String> drift(String entity) {
        return lines(audit(ALL), entity);
    }

    /** Audits and repairs an entity; returns its drift. */
    List<String> repair(String entity) {
        JsonNode report = audit(ALL + "&repair=true");
        assertThat(report.at("/drift").valueStream().map(one -> one.at("/repaired").asBoolean()))
                .as(report.toString())
                .doesNotContain(false);
        return lines(report, entity);
    }

    static List<String> lines(JsonNode report, String entity) {
        return report.at("/drift")
                .valueStream()
                .filter(one -> one.at("/entity_id").asString().equals(entity))
                .map(Audits::line)
                .sorted()
                .toList();
    }

    private static String line(JsonNode one) {
        return "%s %s%s: %s instead of %s"
                .formatted(
                        one.at("/store").asString(),
                        one.at("/kind").asString(),
                        name(one, "/reaction_id") + name(one, "/user_id"),
                        one.at("/found").asString(),
                        one.at("/expected").asString());
    }

    private static String name(JsonNode one, String member) {
        return one.at(member).isMissingNode() ? "" : " " + one.at(member).asString();
    }
}
