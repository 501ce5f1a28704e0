package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.sql.SQLException;

/** Logs name the objects of operators' actions, and no ids of users. */
@Isolated
@ExtendWith(OutputCaptureExtension.class)
class LogsApiTest extends ApiFixture {

    private final String user = "user-" + entity;

    @Test
    void idsAreNotLoggedForAnyOutcomeOfARequest(CapturedOutput output) {
        given("letters", user, "a");
        assertRefused(add("letters", user, "a"), 403, "reaction-already-exists");
        assertRefused(add("letters", user, "b"), 403, "conflicting-reaction");
        assertViolations(add("letters", user + "x".repeat(300), "a"), "user_id");
        assertViolations(service.send("POST", "/reactions", "{\"" + user + "\""), "body");
        assertRefused(add("unknown", user, "a"), 403, "unknown-namespace");
        assertProblem(service.get("/" + user), 404, "not-found");
        assertOk(add("letters", user, "d", "Idempotency-Key", user));
        assertRefused(
                add("letters", user, "e", "Idempotency-Key", user), 422, "idempotency-mismatch");
        assertOk(remove("letters", user, "a"));

        assertThat(output.getAll()).doesNotContain(entity);
    }

    /** An event that lowers a counter in Postgres below 0 is a poison event. */
    @Test
    void anEventThatCannotBeStoredIsLoggedWithoutIds(CapturedOutput output) throws Exception {
        given("letters", user, "a");
        lowerCounterBehindTheServicesBack();

        assertRefused(remove("letters", user, "a"), 503, "unavailable");
        assertThat(output.getAll())
                .contains("of partition " + partition("letters") + " is rejected")
                .doesNotContain(entity);
        assertOk(service.add("letters", "healthy " + entity, "ann", "a"));
    }

    @Test
    void poisonIsCounted() throws Exception {
        given("letters", user, "a");
        lowerCounterBehindTheServicesBack();
        double before = poison(service) + poison(other);

        assertRefused(remove("letters", user, "a"), 503, "unavailable");
        // The refused request may get the verdict from the other instance before the metric
        // changes.
        Wait.until("it is counted", () -> poison(service) + poison(other) > before);
    }

    private void lowerCounterBehindTheServicesBack() throws SQLException {
        try (var connection = TwoInstances.database();
                var statement =
                        connection.prepareStatement(
                                """
                                update counter c set count = 0 from entity e
                                where  c.p = e.p and c.entity_no = e.no and e.entity = ?
                                """)) {
            statement.setString(1, entity);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private static double poison(Instance instance) {
        return Metrics.of(instance).value("ovation_events_rejected_total", "reason=\"poison\"");
    }
}
