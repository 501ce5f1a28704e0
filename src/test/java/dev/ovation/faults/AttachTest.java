package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.util.Map;

/** An instance attaches to data that other instances left. */
@Isolated
class AttachTest {

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

    @Test
    void anAttachAcknowledgesARejectionThatRedisDoesNotKnow(TestInfo test) {
        String entity = test.getDisplayName();
        int p = Stage.partition(POSTS, entity);
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        service.close();
        stage.propose(POSTS, entity, "ben", "🔥");
        reject(p);

        service = stage.start(Stage.PATIENT);

        stage.awaitDrained();
        assertThat(Stage.counts(service.read(POSTS, entity, "ben"))).isEqualTo(Map.of("👍", 1L));
        assertThat(service.add(POSTS, entity, "ben", "🔥").status()).isEqualTo(200);
    }

    @Test
    void aRejectionWithinAnEpochThatWasClosedMeanwhileIsNoSuccess(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        int p = Stage.partition(POSTS, entity);
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        try (var others = stage.holdRelays()) {
            var ben = Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👍"));
            stage.awaitProposed(POSTS, entity, 2);
            String seq = stage.redis().hget(RedisSchema.meta(p), "seq");
            others.execute(
                    """
                    insert into rejected_event
                    select p, epoch, %s, 'op', 'conflict' from partition where p = %d
                    """
                            .formatted(seq, p));
            others.execute(
                    "insert into epoch select p, epoch, %s from partition where p = %d"
                            .formatted(seq, p));
            others.execute(
                    """
                    update partition set epoch = epoch + 1, applied_seq = 0, applied_op = ''
                    where  p = %d
                    """
                            .formatted(p));
            stage.release();
            assertThat(ben.get().status()).isEqualTo(200);
        }
        assertThat(stage.stored(POSTS, entity, "ben")).containsExactly("👍");
    }

    @Test
    void aNewEpochIsAboveTheOneThatRedisHolds(TestInfo test) {
        String entity = test.getDisplayName();
        int p = Stage.partition(POSTS, entity);
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        stage.redis().hincrby(RedisSchema.meta(p), "epoch", 1000);

        Wait.until(
                "the partition has a new epoch",
                () -> service.add(POSTS, entity, "ben", "👍", "if_exists=ok").status() == 200);
    }

    /** Each attempt begins with a write; its refusal is logged once. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void noEpochIsTakenForARedisThatRefusesWrites(TestInfo test, CapturedOutput output) {
        int p = Stage.partition(POSTS, test.getDisplayName());
        stage.awaitDrained();
        long epoch = epoch(p);
        long before = refusedUnlinks();
        stage.redis().configSet("min-replicas-to-write", "1");
        try {
            service.close();
            stage.sql.update("update partition set incarnation = 'another' where p = ?", p);
            service = stage.launch(Stage.PATIENT);
            Wait.until("it has tried three times", () -> refusedUnlinks() >= before + 3);
            assertThat(epoch(p)).isEqualTo(epoch);
            assertThat(output.getOut()).contains("Attaching failed");
            assertThat(output.getOut()).containsOnlyOnce("is repeated: NOREPLICAS");
            assertThat(
                            service.get("/actuator/health")
                                    .json()
                                    .at("/components/relay/details/reason")
                                    .asString(""))
                    .startsWith("NOREPLICAS");
        } finally {
            stage.redis().configSet("min-replicas-to-write", "0");
        }
        service.attached();
    }

    /** Number of UNLINK commands that Redis rejected before their execution. */
    private static long refusedUnlinks() {
        return stage.redis()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_unlink:"))
                .map(line -> line.replaceFirst(".*rejected_calls=(\\d+).*", "$1"))
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static long epoch(int p) {
        return stage.sql.queryForObject("select epoch from partition where p = ?", Long.class, p);
    }

    /** Rejects the last event of a partition like a relay that dies before its acknowledgement. */
    private static void reject(int p) {
        String seq = stage.redis().hget(RedisSchema.meta(p), "seq");
        String op = "foreign-" + seq;
        stage.sql.update(
                """
                insert into rejected_event
                select p, epoch, ?::bigint, ?, 'conflict' from partition where p = ?
                """,
                seq,
                op,
                p);
        stage.sql.update(
                "update partition set applied_seq = ?::bigint, applied_op = ? where p = ?",
                seq,
                op,
                p);
    }
}
