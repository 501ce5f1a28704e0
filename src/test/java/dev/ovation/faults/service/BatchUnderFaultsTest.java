package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.faults.service.ThrowingFailpointsTest.Failure;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Faults during {@code POST /reactions/batch}. */
@Beside
@ExtendWith(Pair.class)
class BatchUnderFaultsTest {

    private static final int ENTITIES = 7;

    /** The state after the first operation is lost before the second is proposed. */
    @Test
    void anOperationIsJudgedOnAStateThatIncludesTheOneBefore(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        Pair.other().add(POSTS, entity, "zoe", "🔥");
        Pair.stage().awaitDrained();
        long scripts = scripts();
        try (var _ = Pair.stage().holdRelays();
                var pause = Pair.failpoints().pauseAt(Point.AFTER_SCRIPT)) {
            var batch = meanwhile(operation("add", entity), operation("remove", entity));
            pause.awaitArrival();
            Pair.stage()
                    .redis()
                    .keys("{*}:[cu]:*:" + entity)
                    .forEach(key -> Pair.stage().redis().unlink(key));
            pause.release();
            Wait.until("the second was not judged", () -> scripts() >= scripts + 3);
            Pair.stage().release();

            assertThat(Instance.outcomes(batch.get())).containsExactly("applied", "applied");
        }
        assertThat(Pair.stage().stored(POSTS, entity, "ann")).isEmpty();
        assertThat(Pair.version(entity)).isEqualTo(3);
    }

    /**
     * Postgres rejects the base of the first operation. Before the second is proposed, the entity
     * is loaded anew and changed by another user.
     */
    @Test
    void anOperationIsNotJudgedOnAStateInstalledSinceTheOneBefore(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        Pair.other().add(POSTS, entity, "zoe", "🔥");
        Pair.stage().awaitDrained();
        changeBeside(entity);
        try (var pause = Pair.failpoints().pauseAt(Point.AFTER_SCRIPT)) {
            var batch = meanwhile(addition(entity, "ok"), addition(entity, "error"));
            pause.awaitArrival();
            Pair.stage().awaitDrained();
            Pair.other().add(POSTS, entity, "ben", "🔥");
            pause.release();

            assertThat(Instance.outcomes(batch.get())).containsExactly("applied", "refused");
        }
        assertThat(Pair.stage().stored(POSTS, entity, "ann")).containsExactly("👍");
    }

    /** The first operation is refused because of a change that Postgres rejects. */
    @Test
    void anOperationSharesTheVerdictOfARefusalBeforeIt(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        for (String reaction : List.of("❤️", "🔥", "🎉")) {
            Pair.other().add(POSTS, entity, "zoe", reaction);
        }
        Pair.stage().awaitDrained();
        try (var _ = Pair.stage().holdRelays()) {
            Pair.stage().propose(POSTS, entity, "ben", "😂");
            changeBeside(entity);
            long scripts = scripts();
            var batch = meanwhile(operation("add", entity), operation("remove", entity));
            Wait.until("both are judged", () -> scripts() >= scripts + 2);
            Pair.stage().release();

            assertThat(Instance.outcomes(batch.get())).containsExactly("applied", "applied");
        }
        assertThat(Pair.stage().stored(POSTS, entity, "ann")).isEmpty();
    }

    /** Changes an entity in Postgres alone, so that a change on its state in Redis is rejected. */
    private static void changeBeside(String entity) {
        Pair.stage()
                .sql
                .update(
                        "update entity set version = version + 1000, last_op = 'beside'"
                                + " where entity = ?",
                        entity);
    }

    private static Map<String, String> addition(String entity, String ifExists) {
        var addition = new HashMap<>(operation("add", entity));
        addition.put("if_exists", ifExists);
        return addition;
    }

    @ParameterizedTest
    @EnumSource
    void theOutcomeOfEachOperationMatchesTheStoredState(Failure failure) {
        Pair.failpoints().failOnceAt(failure.point(), failure.exception());
        var answers = new ArrayList<Answer>();
        while (!Pair.failpoints().hasFailedAt(failure.point())) {
            answers.add(send(Pair.one(), failure, answers.size()));
        }
        Pair.one().attached();
        Pair.stage().awaitDrained();

        for (int n = 0; n < answers.size(); n++) {
            List<String> outcomes = Instance.outcomes(answers.get(n));
            assertThat(outcomes).as(failure.name()).hasSize(ENTITIES);
            for (int i = 0; i < ENTITIES; i++) {
                assertIsSo(outcomes.get(i), stored(failure, n, i));
            }
            assertThat(Instance.outcomes(send(Pair.other(), failure, n))).containsOnly("applied");
            for (int i = 0; i < ENTITIES; i++) {
                assertThat(stored(failure, n, i)).containsExactly("👍");
                assertThat(Pair.version(entity(failure, n, i))).as("once").isEqualTo(1);
            }
        }
    }

    private static void assertIsSo(String outcome, List<String> stored) {
        switch (outcome) {
            case "applied" -> assertThat(stored).containsExactly("👍");
            case "refused" -> assertThat(stored).isEmpty();
            default -> assertThat(outcome).isEqualTo("unknown");
        }
    }

    /** Sends a batch through the instance with the fault. */
    private static CompletableFuture<Answer> meanwhile(
            Map<String, String> first, Map<String, String> second) {
        return Stage.meanwhile(() -> send(Pair.one(), "", List.of(first, second)));
    }

    private static Answer send(Instance through, Failure failure, int n) {
        return send(
                through,
                failure.name() + n,
                IntStream.range(0, ENTITIES)
                        .mapToObj(i -> operation("add", entity(failure, n, i)))
                        .toList());
    }

    private static Answer send(Instance through, String key, List<Map<String, String>> operations) {
        String[] headers = key.isEmpty() ? new String[0] : new String[] {"Idempotency-Key", key};
        return through.send("POST", "/reactions/batch", Instance.batch(operations), headers);
    }

    private static Map<String, String> operation(String op, String entity) {
        return Instance.operation(op, POSTS, entity, "ann", "👍");
    }

    private static List<String> stored(Failure failure, int n, int i) {
        return Pair.stage().stored(POSTS, entity(failure, n, i), "ann");
    }

    private static String entity(Failure failure, int n, int i) {
        return "batch-" + failure.name() + n + "-" + i;
    }

    private static long scripts() {
        return Stage.total(Pair.one(), "ovation_script_duration_seconds_count", "script=\"react\"");
    }
}
