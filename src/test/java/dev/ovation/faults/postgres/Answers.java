package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Parts;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Assertions on answers while Postgres is faulty, and after its recovery. */
final class Answers {

    private Answers() {}

    static void assertOk(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    /** Asserts that the answer excludes a change. */
    static void assertRefused(Answer answer) {
        assertProblem(answer, "unavailable", "refused");
    }

    /** Asserts that the change may be applied now, later, or not. */
    static void assertUnknown(Answer answer) {
        assertProblem(answer, "outcome-unknown", "unknown");
    }

    private static void assertProblem(Answer answer, String code, String outcome) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.json().at("/code").asString()).as(answer.body()).isEqualTo(code);
        assertThat(answer.json().at("/outcome").asString()).isEqualTo(outcome);
        assertThat(answer.headers()).containsKey("retry-after");
    }

    /** Waits until writes are refused before they reach Redis. */
    static void awaitRefusal(Instance service, String entity) {
        Wait.until(
                "writes are refused",
                () -> {
                    var answer = service.remove(POSTS, entity, "nobody", "👍");
                    return answer.status() == 503 && answer.body().contains("do not get through");
                });
    }

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /**
     * Asserts the reactions that a user sees of their own; only a slow answer is requested again.
     */
    static void assertShown(Instance service, String entity, String user, String... reactions) {
        var answer = new AtomicReference<Answer>();
        Wait.until(
                "it is answered at once",
                () -> {
                    long start = System.nanoTime();
                    answer.set(service.read(POSTS, entity, user));
                    return answer.get().status() == 200
                            || System.nanoTime() - start < PAUSE.toNanos();
                });
        assertThat(Stage.own(answer.get())).containsExactly(reactions);
    }

    /** Waits until a user's reaction is accepted; each retry is safe. */
    static void awaitTaken(Instance service, String entity, String user) {
        Parts.awaitTaken(() -> service.add(POSTS, entity, user, "👍", "if_exists=ok"));
    }
}
