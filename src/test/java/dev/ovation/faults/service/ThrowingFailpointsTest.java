package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.TransactionSystemException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Each failure that is possible at a failpoint occurs there once during concurrent writes. */
@Beside
@ExtendWith(Pair.class)
class ThrowingFailpointsTest {

    private static final int WRITERS = 7;

    /** Failures and the points at which they occur. */
    enum Failure {
        POSTGRES_WHILE_LOADING(Point.AFTER_LOAD_READ, postgres()),
        REDIS_BEFORE_THE_INSTALLATION(Point.BEFORE_INSTALL, redis()),
        THE_REPLY_OF_A_RUN(Point.AFTER_RUN, unanswered()),
        THE_REPLY_OF_THE_SCRIPT(Point.AFTER_SCRIPT, unanswered()),
        REDIS_WHILE_THE_RELAY_READS(Point.AFTER_READ, redis()),
        POSTGRES_BEFORE_THE_TRANSACTION(Point.AFTER_READ, postgres()),
        POSTGRES_BEFORE_THE_CALL(Point.BEFORE_CALL, postgres()),
        POSTGRES_WITHIN_THE_TRANSACTION(Point.BEFORE_COMMIT, postgres()),
        THE_REPLY_OF_THE_COMMIT(Point.AFTER_COMMIT, commit()),
        POSTGRES_AFTER_THE_COMMIT(Point.AFTER_COMMIT, postgres()),
        REDIS_BEFORE_THE_ACKNOWLEDGEMENT(Point.BEFORE_ACK, redis());

        private final Point point;
        private final RuntimeException exception;

        Failure(Point point, RuntimeException exception) {
            this.point = point;
            this.exception = exception;
        }

        Point point() {
            return point;
        }

        RuntimeException exception() {
            return exception;
        }

        private boolean isOfALoad() {
            return point.compareTo(Point.AFTER_RUN) < 0;
        }

        private boolean isOfTheRelay() {
            return point.compareTo(Point.AFTER_READ) >= 0;
        }

        private static RuntimeException postgres() {
            return new DataAccessResourceFailureException("by the test");
        }

        private static RuntimeException commit() {
            return new TransactionSystemException("by the test");
        }

        private static RuntimeException redis() {
            return new RedisUnavailableException("by the test");
        }

        private static RuntimeException unanswered() {
            return new UnansweredException(new IllegalStateException("by the test"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersMatchTheStoredStateAndAllOutboxesAreDrained(Failure failure) throws Exception {
        Pair.failpoints().failOnceAt(failure.point, failure.exception);

        var answers = new ArrayList<Answer>();
        while (!Pair.failpoints().hasFailedAt(failure.point)) {
            answers.addAll(writeAtOnce(failure, answers.size()));
        }
        Pair.one().attached();
        Pair.stage().awaitDrained();

        for (int n = 0; n < answers.size(); n++) {
            String entity = entity(failure, n);
            assertIsSo(answers.get(n), failure, Pair.stage().stored(POSTS, entity, "ann"));
            assertThat(write(Pair.other(), failure, n).status()).isEqualTo(200);
            assertThat(Pair.stage().stored(POSTS, entity, "ann")).containsExactly("👍");
            assertThat(Pair.version(entity)).as("once").isEqualTo(1);
        }
    }

    private static List<Answer> writeAtOnce(Failure failure, int from) throws Exception {
        if (!failure.isOfALoad()) {
            IntStream.range(from, from + WRITERS)
                    .forEach(n -> Pair.other().read(POSTS, entity(failure, n), null));
        }
        List<CompletableFuture<Answer>> running =
                IntStream.range(from, from + WRITERS)
                        .mapToObj(n -> Stage.meanwhile(() -> write(Pair.one(), failure, n)))
                        .toList();
        var answers = new ArrayList<Answer>();
        for (var one : running) {
            answers.add(one.get());
        }
        return answers;
    }

    /** A relay retries, and waiting requests do not notice. */
    private static void assertIsSo(Answer answer, Failure failure, List<String> stored) {
        if (answer.status() == 200) {
            assertThat(stored).hasSize(1);
            return;
        }
        assertThat(failure.isOfTheRelay()).as(answer.body()).isFalse();
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        if (!Crowd.code(answer).equals("outcome-unknown")) {
            assertThat(stored).as(answer.body()).isEmpty();
        }
    }

    private static Answer write(Instance through, Failure failure, int n) {
        return through.send(
                "POST",
                "/reactions",
                Instance.body(POSTS, entity(failure, n), "ann", "👍"),
                "Idempotency-Key",
                entity(failure, n));
    }

    private static String entity(Failure failure, int n) {
        return failure.name() + n;
    }
}
