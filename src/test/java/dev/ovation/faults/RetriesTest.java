package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Changes that are not applied at the first attempt, on two instances. */
@Beside
class RetriesTest {

    private static Stage stage;
    private static Instance service;

    /** Instance with short deadlines. */
    private static Instance hasty;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        service =
                stage.start(
                        Stage.settings(Stage.PATIENT, "ovation.internal.hot.in-flight-ttl=60s"));
        hasty =
                stage.start(
                        Stage.settings(
                                Stage.PATIENT,
                                // Scripts must be sent within this time, or a write is refused.
                                "ovation.requests.deadline=10s",
                                "ovation.internal.hot.in-flight-ttl=100ms"));
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @AfterEach
    void allIsSound() {
        stage.assertSound();
    }

    @Test
    void aWriteIsRetriedAfterAConflictWithAChangeInPostgres(TestInfo test) {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        changeBehindTheBackOfRedis(entity);

        var answer =
                service.send(
                        "POST",
                        "/reactions",
                        Instance.body(POSTS, entity, "ben", "👍"),
                        "Prefer",
                        "return=representation");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().at("/entity/reactions_count/0/count").asLong()).isEqualTo(3);
        assertThat(reasons(entity)).containsExactly("conflict");
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(3);
    }

    @Test
    void aRefusalThatRestsOnARejectedChangeIsJudgedAgain(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "🔥");
        stage.awaitDrained();
        try (var _ = stage.holdRelays()) {
            changeBehindTheBackOfRedis(entity);
            var first = Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👍"));
            stage.awaitProposed(POSTS, entity, 2);
            var rival = Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👎"));
            Wait.until("both wait", () -> waiting() == 2);
            stage.release();
            assertThat(List.of(Crowd.code(first.get()), Crowd.code(rival.get())))
                    .containsExactlyInAnyOrder("{\"status\":\"ok\"}", "conflicting-reaction");
        }
        assertThat(stage.stored(POSTS, entity, "ben")).hasSize(1);
    }

    @Test
    void aRefusalGoesWithTheRejectedChangeThatItRestsOn(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "🔥");
        stage.awaitDrained();
        try (var _ = stage.holdRelays()) {
            changeBehindTheBackOfRedis(entity);
            stage.propose(POSTS, entity, "ben", "👍");
            var rival = Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👎"));
            Wait.until("it waits", () -> waiting() == 1);
            stage.release();
            assertThat(rival.get().status()).as(rival.get().body()).isEqualTo(200);
        }
        assertThat(stage.stored(POSTS, entity, "ben")).containsExactly("👎");
    }

    @Test
    void anUnknownOutcomeAndARetryByTheSameKeyThroughAnotherInstanceApplyTheChangeOnce(
            TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "zoe", "👍");
        stage.awaitDrained();
        Answer retry;
        try (var _ = stage.holdRelays()) {
            var first = keyed(hasty, "POST", entity, "k1");
            assertThat(Crowd.code(first)).isEqualTo("outcome-unknown");
            Wait.until(
                    "no note makes a retry wait",
                    () -> stage.redis().keys("*:i:*" + entity + "*").isEmpty());
            var running = Stage.meanwhile(() -> keyed(service, "POST", entity, "k1"));
            Wait.until("it waits", () -> waiting() == 1);
            stage.release();
            retry = running.get();
        }
        assertThat(retry.body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
        assertThat(keyed(service, "POST", entity, "k1").body()).isEqualTo(retry.body());
    }

    @Test
    void theSameHoldsForARemoval(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        Answer retry;
        try (var _ = stage.holdRelays()) {
            var first = keyed(hasty, "DELETE", entity, "k2");
            assertThat(Crowd.code(first)).isEqualTo("outcome-unknown");
            Wait.until(
                    "no note makes a retry wait",
                    () -> stage.redis().keys("*:i:*" + entity + "*").isEmpty());
            String seq = stage.seq(POSTS, entity);
            var running = Stage.meanwhile(() -> keyed(service, "DELETE", entity, "k2"));
            Wait.until("it is proposed too", () -> !stage.seq(POSTS, entity).equals(seq));
            stage.release();
            retry = running.get();
        }
        assertThat(retry.status()).isEqualTo(200);
        assertThat(reasons(entity)).containsExactly("duplicate");
        assertThat(stage.rows("select version from entity where entity = ?", entity))
                .containsExactly("2");
    }

    @Test
    void aKeyIsRefusedWhileItsFirstWriteIsInFlight(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        try (var _ = stage.holdRelays()) {
            var patient = Stage.meanwhile(() -> keyed(service, "POST", entity, "k3"));
            stage.awaitProposed(POSTS, entity, 1);
            assertThat(Crowd.code(keyed(service, "POST", entity, "k3")))
                    .isEqualTo("idempotency-in-flight");
            stage.release();
            assertThat(patient.get().status()).isEqualTo(200);
        }
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(1);
    }

    @Test
    void aPoisonEventIsRejectedAndDependentWritesAreRetried(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        String neighbour = Stage.neighbour(POSTS, entity);
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        try (var _ = stage.holdRelays()) {
            stage.propose(POSTS, entity, "poison\0", "🔥");
            var dependents =
                    List.of("ben", "cat", "dan").stream()
                            .map(
                                    user ->
                                            Stage.meanwhile(
                                                    () -> service.add(POSTS, entity, user, "👍")))
                            .toList();
            var bystander = Stage.meanwhile(() -> service.add(POSTS, neighbour, "eve", "👍"));
            stage.awaitProposed(POSTS, entity, 5);
            stage.awaitProposed(POSTS, neighbour, 1);
            stage.release();
            for (var one : dependents) {
                assertThat(one.get().status()).isEqualTo(200);
            }
            assertThat(bystander.get().status()).isEqualTo(200);
        }
        assertThat(reasons(entity))
                .startsWith("poison")
                .containsOnlyOnce("poison")
                .contains("conflict");
        assertThat(counts(service, entity)).isEqualTo(Map.of("👍", 4L));
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(4);
    }

    @Test
    void aChangeThatPostgresCannotStoreIsRefusedAndItsEntityRecovers(TestInfo test) {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        service.add(POSTS, entity, "ann", "🔥");
        stage.awaitDrained();
        stage.sql.update("delete from named_counter where entity = ? and reaction = '👍'", entity);

        var removal = service.remove(POSTS, entity, "ann", "👍");

        assertThat(Crowd.code(removal)).isEqualTo("unavailable");
        assertThat(removal.json().at("/outcome").asString()).isEqualTo("refused");
        assertThat(reasons(entity)).contains("poison").doesNotContain("conflict");
        assertThat(service.remove(POSTS, entity, "ann", "🔥").status()).isEqualTo(200);

        stage.sql.update("insert into named_counter values (?, ?, '👍', 1, 1, 1)", POSTS, entity);
        stage.evict(entity);
        assertThat(service.remove(POSTS, entity, "ann", "👍").status()).isEqualTo(200);
    }

    @Test
    void aBatchIsRetriedInOrderAfterItsFirstOperationConflicts(TestInfo test) {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        changeBehindTheBackOfRedis(entity);

        var answer =
                service.send(
                        "POST",
                        "/reactions/batch",
                        Instance.batch(
                                List.of(
                                        Instance.operation("add", POSTS, entity, "ben", "👍"),
                                        Instance.operation("remove", POSTS, entity, "ben", "👍"),
                                        Instance.operation("add", POSTS, entity, "ben", "👎"),
                                        Instance.operation("add", POSTS, entity, "ben", "👎"))));

        assertThat(Instance.outcomes(answer))
                .containsExactly("applied", "applied", "applied", "refused");
        assertThat(reasons(entity)).containsOnly("conflict").isNotEmpty();
        assertThat(stage.stored(POSTS, entity, "ben")).containsExactly("👎");
        assertThat(stage.rows("select version from entity where entity = ?", entity))
                .containsExactly("5");
    }

    @Test
    void anAdditionAndARemovalOfOneReactionInOneBatchCancelOut(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        try (var _ = stage.holdRelays()) {
            var steps =
                    List.of(
                            Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👍")),
                            then(entity, 2, () -> service.remove(POSTS, entity, "ben", "👍")),
                            then(entity, 3, () -> service.remove(POSTS, entity, "ann", "👍")),
                            then(entity, 4, () -> service.add(POSTS, entity, "ann", "👍")));
            stage.awaitProposed(POSTS, entity, 5);
            stage.release();
            for (var step : steps) {
                assertThat(step.get().status()).isEqualTo(200);
            }
        }
        assertThat(stage.stored(POSTS, entity, "ann")).containsExactly("👍");
        assertThat(stage.stored(POSTS, entity, "ben")).isEmpty();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(1);
        assertThat(stage.rows("select version from entity where entity = ?", entity))
                .containsExactly("5");
    }

    /** Sends a request when this many changes are proposed. */
    private static CompletableFuture<Answer> then(
            String entity, int changes, Callable<Answer> something) {
        stage.awaitProposed(POSTS, entity, changes);
        return Stage.meanwhile(something);
    }

    private static void changeBehindTheBackOfRedis(String entity) {
        stage.sql.update(
                "insert into named_reaction values (?, ?, 'import', '👍', 1)", POSTS, entity);
        int counted =
                stage.sql.update(
                        """
                        update named_counter set count = count + 1
                        where  namespace = ? and entity = ? and reaction = '👍'
                        """,
                        POSTS,
                        entity);
        if (counted == 0) {
            stage.sql.update(
                    "insert into named_counter values (?, ?, '👍', 1, 1, 1)", POSTS, entity);
        }
        stage.sql.execute("select count_people()");
        stage.sql.update(
                "update entity set version = version + 1, last_op = 'import' where entity = ?",
                entity);
    }

    private static Answer keyed(Instance by, String method, String entity, String key) {
        String body = Instance.body(POSTS, entity, "ann", "👍");
        return by.send(method, "/reactions", body, "Idempotency-Key", entity + key);
    }

    private static long waiting() {
        return stage.metric(service, "ovation_requests_active", "writes");
    }

    private static List<String> reasons(String entity) {
        return stage.rows(
                "select reason from rejected_event where p = ? order by rejected_at, seq",
                Stage.partition(POSTS, entity));
    }

    private static Map<String, Long> counts(Instance service, String entity) {
        return Stage.counts(service.read(POSTS, entity, null));
    }
}
