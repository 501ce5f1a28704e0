package dev.ovation.api;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Queries of lists pass the bulkhead of Postgres that bounds all requests. */
class PostgresGateApiTest extends ApiFixture {

    private static final int RUNNING = 12;

    @Test
    void aRequestBeyondTheBulkheadWaitsAndIsRefused() throws Exception {
        double before = refused();
        var answers = new ArrayList<Future<Answer>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try (Connection _ = locked()) {
                for (int i = 0; i <= RUNNING; i++) {
                    answers.add(threads.submit(() -> other.get("/users/friends?user_id=ann")));
                }
                Wait.until("all run but one, which waits", () -> gate("running") == RUNNING);
                Wait.until("one is answered", () -> answers.stream().anyMatch(Future::isDone));
            }
        }
        Future<Answer> first =
                answers.stream()
                        .filter(each -> each.resultNow().status() != 200)
                        .findFirst()
                        .orElseThrow();
        assertProblem(first.resultNow(), 503, "unavailable");
        Wait.until("the bulkhead is named as the cause", () -> refused() > before);
    }

    private double refused() {
        return Metrics.of(other)
                .value("ovation_problems_total", "cause=\"gate\"", "code=\"unavailable\"");
    }

    private double gate(String which) {
        return Metrics.of(other).value("ovation_postgres_" + which);
    }

    /** Locks the tables of lists of friends. */
    private static Connection locked() throws SQLException {
        Connection connection = TwoInstances.database();
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("lock table friendship in access exclusive mode");
        }
        return connection;
    }
}
