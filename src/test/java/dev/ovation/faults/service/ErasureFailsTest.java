package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.testing.Imports.CSV;
import static dev.ovation.testing.Imports.HEADER;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.TestFailpoints;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.TransactionSystemException;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Erasures that are delayed or fail between two steps. */
@Beside
class ErasureFailsTest {

    private static final int ENTITIES = 7;

    private static final TestFailpoints FAILPOINTS = new TestFailpoints();
    private static Stage stage;
    private static Instance service;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        service =
                Instance.start(
                                FAILPOINTS.exceptInRelays(),
                                stage.url,
                                stage.redisProcess.uri(),
                                Stage.CONFIG,
                                Stage.PATIENT)
                        .attached();
    }

    @AfterAll
    static void stop() {
        service.close();
        stage.close();
    }

    @AfterEach
    void clear() {
        FAILPOINTS.clear();
    }

    /** Failures and the points at which they occur. */
    enum Failure {
        POSTGRES_WITHIN_THE_TRANSACTION(
                Point.BEFORE_COMMIT, new DataAccessResourceFailureException("by the test")),
        THE_REPLY_OF_THE_COMMIT(Point.AFTER_COMMIT, new TransactionSystemException("by the test")),
        REDIS_BEFORE_IT_IS_TOLD(Point.BEFORE_ACK, new RedisUnavailableException("by the test"));

        private final Point point;
        private final RuntimeException exception;

        Failure(Point point, RuntimeException exception) {
            this.point = point;
            this.exception = exception;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailedErasureStepIsRepeated(Failure failure) {
        String user = "user-" + failure;
        for (int i = 0; i < ENTITIES; i++) {
            for (String each : new String[] {user, "ben"}) {
                assertThat(service.add(NOTES, failure + "-" + i, each, "👍").status())
                        .isEqualTo(200);
            }
        }
        stage.awaitDrained();
        stage.redis().keys("{*}:u:*").forEach(key -> stage.redis().unlink(key));
        FAILPOINTS.failOnceAt(failure.point, failure.exception);

        Erasures.user(service, user);

        assertThat(FAILPOINTS.hasFailedAt(failure.point)).isTrue();
        assertThat(stage.rows("select 1 from named_reaction where user_id = ?", user)).isEmpty();
        stage.assertSound();
        for (int i = 0; i < ENTITIES; i++) {
            assertThat(Stage.counts(service.read(NOTES, failure + "-" + i, "ben")))
                    .containsEntry("👍", 1L);
        }
    }

    /** Changes that are cancelled between their commit and its acknowledgement to Redis. */
    enum Change {
        OF_AN_ERASED_ENTITY {
            @Override
            void ask(String entity) {
                service.send("DELETE", Erasures.ofEntity(NOTES, entity), null);
            }
        },
        OF_AN_ERASED_USER {
            @Override
            void ask(String entity) {
                service.send("DELETE", Erasures.ofUser(entity + "-user"), null);
            }
        },
        OF_AN_IMPORT {
            @Override
            void ask(String entity) {
                String file = HEADER + NOTES + "," + entity + ",ann,👍,1000\n";
                Imports.send(service, "kind=reactions", CSV, file);
            }
        };

        abstract void ask(String entity);
    }

    @ParameterizedTest
    @EnumSource
    void aCommittedChangeIsAcknowledgedAlthoughItsJobIsCancelled(Change change) throws Exception {
        String entity = change.name();
        assertThat(service.add(NOTES, entity, entity + "-user", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        var before = op(entity);
        CompletableFuture<Boolean> asked;
        try (var _ = FAILPOINTS.pauseAt(Point.AFTER_COMMIT)) {
            asked =
                    Stage.meanwhile(
                            () -> {
                                change.ask(entity);
                                return true;
                            });
            Wait.until("it is committed", () -> !op(entity).equals(before));
            FAILPOINTS.failOnceAt(Point.AFTER_COMMIT, new RedisUnavailableException("by the test"));
            String job =
                    stage.rows(
                                    "select job_id from job where state in ('waiting', 'running') and ready")
                            .getFirst();
            assertThat(service.send("DELETE", "/jobs?job_id=" + job, null).body())
                    .contains("\"cancelled\"");
        }

        Wait.until("Redis is notified", () -> stage.redis().keys("{*}:c:*" + entity).isEmpty());
        Wait.until("the request is answered", asked::isDone);
        assertThat(asked.get()).isTrue();
        assertThat(FAILPOINTS.hasFailedAt(Point.AFTER_COMMIT)).isTrue();
        stage.assertSound();
    }

    /**
     * A refusal is no proof of a new epoch: a node of a Redis Cluster also refuses while a slot
     * moves. Without a new epoch, readers would see the state before the change.
     */
    @Test
    void aChangeThatRedisRefusesToBeToldOfEndsTheEpoch() throws Exception {
        String entity = "refused";
        assertThat(service.add(NOTES, entity, "ben", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        String meta = RedisSchema.meta(Stage.partition(NOTES, entity));
        String incarnation = stage.redis().hget(meta, "incarnation");
        var before = op(entity);
        CompletableFuture<Boolean> erased;
        try (var _ = FAILPOINTS.pauseAt(Point.AFTER_COMMIT)) {
            erased =
                    Stage.meanwhile(
                            () -> {
                                Erasures.entity(service, NOTES, entity);
                                return true;
                            });
            Wait.until("it is committed", () -> !op(entity).equals(before));
            stage.redis().hset(meta, "incarnation", "of another server");
        }
        Wait.until("the erasure has ended", erased::isDone);
        assertThat(erased.get()).isTrue();
        stage.redis().hset(meta, "incarnation", incarnation);

        assertThat(Stage.counts(service.read(NOTES, entity, "ben"))).isEmpty();
        stage.assertSound();
    }

    private static List<String> op(String entity) {
        return stage.rows("select last_op from entity where entity = ?", entity);
    }

    /** Otherwise the merge would be committed after the erasure looked for reactions. */
    @Test
    @Tag("one-postgres")
    void waitsForTheStepThatAnImportMerges() throws Exception {
        assertThat(service.add(NOTES, "imported", "ben", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        String job;
        CompletableFuture<Boolean> erased;
        try (var counters = stage.hold(Stage.LOCK_COUNTERS.formatted("imported"))) {
            String file = HEADER + NOTES + ",imported,ann,👍,1000\n";
            job = Imports.id(Imports.send(service, "kind=reactions", CSV, file));
            stage.awaitBlockedBy(counters); // the step has begun
            erased =
                    Stage.meanwhile(
                            () -> {
                                Erasures.user(service, "ann");
                                return true;
                            });
            Wait.until(
                    "the erasure waits, or missed the piece",
                    () -> erased.isDone() || stage.blocked() > 1);
        }
        Erasures.awaitDone(service.port(), job);

        Wait.until("it is erased", erased::isDone);
        assertThat(erased.get()).isTrue();
        assertThat(stage.rows("select 1 from named_reaction where user_id = 'ann'")).isEmpty();
        stage.assertSound();
    }

    /** Rows of names are no pairs: a value that equals the user's id is a name there. */
    @Test
    void ofPairsOnTheirWayEitherMayBeTheUser() {
        String names = staged("import-users");
        String friends = staged("import-friends");
        String contests = staged("import-pcc-friends");

        Erasures.user(service, "value");

        assertThat(stage.rows("select job_id from import_row"))
                .contains(names)
                .doesNotContain(friends, contests);
    }

    /** A staged row of a job that still receives its upload. */
    private static String staged(String kind) {
        return stage.rows(
                        """
                        with begun as (
                            insert into job (kind, state, ready, request, lease_until)
                            values (?, 'waiting', false, '{}', now() + interval '1 day')
                            returning job_id)
                        insert into import_row (job_id, p, n, user_id, value)
                        select job_id, 0, 1, 'zoe', 'value' from begun
                        returning job_id
                        """,
                        kind)
                .getFirst();
    }
}
