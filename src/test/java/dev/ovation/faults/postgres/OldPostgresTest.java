package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.faults.postgres.Answers.awaitTaken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Postgres is restored to an older copy while the service runs. Commits since the copy are lost by
 * definition. The service must follow the copy without help.
 */
@Beside
@Tag("embedded")
@ExtendWith(OwnPostgres.class)
class OldPostgresTest {

    private final PostgresProcess postgres = OwnPostgres.postgres();
    private final Stage stage = OwnPostgres.stage();
    private final Instance service = OwnPostgres.service();

    @AfterEach
    void allIsSound() {
        stage.assertSound();
    }

    @Test
    void countsGoBackToTheCopyWithoutAWriteOrARestart(TestInfo test) {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        Path copy = copy();
        awaitTaken(service, entity, "ben");
        awaitOk(() -> service.remove(POSTS, entity, "ann", "👍"));
        stage.awaitDrained();
        assertThat(shown(entity)).isEqualTo(Map.of("👍", 1L));

        restore(copy);

        Wait.until(
                "reads show the state of the copy",
                () -> has(entity, "ann", List.of("👍")) && has(entity, "ben", List.of()));
        awaitTaken(service, entity, "cat");
        assertThat(shown(entity)).isEqualTo(Map.of("👍", 2L));
    }

    @Test
    void epochsAfterARestoreAreGreaterThanTheLostOnes(TestInfo test) {
        String entity = test.getDisplayName();
        int p = Stage.partition(POSTS, entity);
        awaitTaken(service, entity, "ann");
        Path copy = copy();
        awaitTaken(service, entity, "ben");
        stage.redis().flushall(); // ends the epochs of the copy
        awaitTaken(service, entity, "cat");
        long lost = epoch(p);
        String version = version(entity);

        restore(copy);
        stage.redis().flushall(); // so that only the service has the lost epochs

        awaitTaken(service, entity, "dan");
        assertThat(epoch(p)).isGreaterThan(lost);
        assertThat(version(entity)).isGreaterThan(version);
        assertThat(shown(entity)).isEqualTo(Map.of("👍", 2L));
    }

    @Test
    void eventsBasedOnLostCommitsAreNotAppliedAndAreRetried(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        Path copy = copy();
        awaitTaken(service, entity, "ben");
        stage.awaitDrained();
        try (var writers = new Writers(service, "load " + entity)) {
            writers.awaitSome();
            restore(copy);
            writers.awaitSome();
        }
        awaitTaken(service, entity, "cat");
        assertThat(shown(entity)).isEqualTo(Map.of("👍", 2L));
        assertThat(stage.stored(POSTS, entity, "ben")).isEmpty();
    }

    @Test
    void onlyIdempotencyKeysOfTheCopyAreReplayed(TestInfo test) {
        String entity = test.getDisplayName();
        awaitOk(() -> keyed(entity, "ann"));
        Path copy = copy();
        awaitOk(() -> keyed(entity, "ben"));
        stage.awaitDrained();

        restore(copy);
        awaitOk(() -> keyed(entity, "ben"));
        awaitOk(() -> keyed(entity, "ann"));

        assertThat(shown(entity)).isEqualTo(Map.of("👍", 2L));
        assertThat(stage.rows("select version from entity where entity = ?", entity))
                .containsExactly("2");
    }

    @Test
    void writesContinueWhenTheCopyLacksTheNewestRules(TestInfo test) {
        String entity = test.getDisplayName();
        awaitTaken(service, entity, "ann");
        Path copy = copy();
        Wait.until(
                "newer rules are in force",
                () ->
                        service.send(
                                                "POST",
                                                "/configuration",
                                                Stage.rulesWith("newer", 3),
                                                "Content-Type",
                                                "application/yaml")
                                        .status()
                                == 200);
        stage.awaitDrained();

        long newer = version(service);

        postgres.stop();
        postgres.replace(copy);
        postgres.restart();

        // Closed after this block, because it bypasses the proxy and would relay in other tests.
        try (var fresh = stage.start("ovation.requests.deadline=2s")) {
            assertThat(version(fresh)).isLessThan(newer);
            awaitTaken(fresh, entity, "ben");
            awaitTaken(service, entity, "cat");
            awaitTaken(fresh, entity, "dan");
            Wait.until(
                    "the rules of the copy are in force", () -> version(service) == version(fresh));
            assertThat(shown(entity)).isEqualTo(Map.of("👍", 4L));
        }
    }

    /** Whether a read shows a user these reactions; reads on a broken connection are repeated. */
    private boolean has(String entity, String user, List<String> reactions) {
        var answer = service.read(POSTS, entity, user);
        return answer.status() == 200 && Stage.own(answer).equals(reactions);
    }

    private static long version(Instance instance) {
        return instance.get("/actuator/namespaces").json().at("/version").asLong();
    }

    /** Some connections may still lead to a server that has ended. */
    private static void awaitOk(Supplier<Answer> write) {
        Wait.until("writes are accepted", () -> write.get().status() == 200);
    }

    /** Copies the committed state; Postgres is down meanwhile. */
    private Path copy() {
        stage.awaitDrained();
        postgres.stop();
        Path copy = postgres.copy();
        postgres.restart();
        return copy;
    }

    private void restore(Path copy) {
        postgres.kill();
        postgres.replace(copy);
        postgres.restart();
    }

    private Answer keyed(String entity, String user) {
        String body = Instance.body(POSTS, entity, user, "👍");
        return service.send("POST", "/reactions", body, "Idempotency-Key", entity);
    }

    private Map<String, Long> shown(String entity) {
        return Stage.counts(service.read(POSTS, entity, null));
    }

    private long epoch(int p) {
        return stage.sql.queryForObject("select epoch from partition where p = ?", Long.class, p);
    }

    private String version(String entity) {
        String query =
                Instance.encode(
                        Map.of("namespace_id", POSTS, "entity_id", entity, "details", "true"));
        return service.get("/reactions?" + query).json().at("/version").asString();
    }
}
