package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The content of Redis differs from the expectation of Postgres and the instances. */
@Beside
class FenceTest {

    private static Stage stage;
    private static Instance service;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        service = stage.start(Stage.PATIENT);
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @AfterEach
    void allIsSound() {
        stage.assertSound();
    }

    /** An instance leaves this state if it wrote with these rules during a restore of Postgres. */
    @Test
    void rulesThatPostgresDoesNotKnowAreForgottenWithTheirEpoch(TestInfo test) {
        String entity = test.getDisplayName();
        int p = Stage.partition(POSTS, entity);
        assertThat(service.add(POSTS, entity, "ann", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        long ended = endedEpochs(p);
        stage.redis().hset(RedisSchema.meta(p), "config", "1000");

        Wait.until(
                "a write is accepted",
                () -> service.add(POSTS, entity, "ben", "👍"),
                answer -> answer.status() == 200);

        assertThat(endedEpochs(p)).isEqualTo(ended + 1);
        assertCounted(entity, 2);
    }

    @Test
    void aProposalOfAnEndedEpochIsProposedAgainInTheNewEpoch(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        int p = Stage.partition(POSTS, entity);
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        CompletableFuture<Answer> waiting;
        long epoch = epoch(p);
        try (var others = stage.holdRelays()) {
            waiting = Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👍"));
            stage.awaitProposed(POSTS, entity, 2);
            others.execute("insert into epoch select p, epoch, applied_seq from partition");
            others.execute(
                    "update partition set epoch = epoch + 1, applied_seq = 0, applied_op = ''");
            for (int i = 0; i < 64; i++) {
                long next = Long.parseLong(stage.redis().hget(RedisSchema.meta(i), "epoch")) + 1;
                stage.redis().unlink(RedisSchema.outbox(i));
                stage.redis()
                        .hset(
                                RedisSchema.meta(i),
                                Map.of("epoch", "" + next, "seq", "0", "acked", "0"));
            }
        }
        assertThat(waiting.get().status()).isEqualTo(200);
        assertThat(epoch(p)).isEqualTo(epoch + 1);
        assertThat(stage.rows("select version from entity where entity = ?", entity))
                .containsExactly("2");
        assertThat(service.add(POSTS, entity, "cat", "👍").status()).isEqualTo(200);
        assertCounted(entity, 3);
    }

    @Test
    void aRefreshSucceedsAfterAFlushWithIdlePartitions() {
        stage.redis().flushall();
        assertThat(service.send("POST", "/actuator/refresh", null).status()).isEqualTo(200);
    }

    private static long endedEpochs(int p) {
        return stage.sql.queryForObject("select count(*) from epoch where p = ?", Long.class, p);
    }

    private static long epoch(int p) {
        return stage.sql.queryForObject("select epoch from partition where p = ?", Long.class, p);
    }

    @Test
    void epochsAreTakenAfterTheClockOfPostgresStepsBack(TestInfo test) {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        stage.sql.update("update partition set taken_at = now() + interval '1 hour'");
        stage.redis().flushall();
        Wait.until(
                "writes are accepted",
                () -> service.add(POSTS, entity, "ben", "👍", "if_exists=ok").status() == 200);
        assertCounted(entity, 2);
    }

    private static void assertCounted(String entity, long count) {
        stage.awaitDrained();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(count);
        assertThat(Stage.counts(service.read(POSTS, entity, "ann"))).containsEntry("👍", count);
    }
}
