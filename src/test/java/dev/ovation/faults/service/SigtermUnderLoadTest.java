package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

class ShutdownTest {

    private static final int WRITERS = 16;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<Answer> refusals = ConcurrentHashMap.newKeySet();

    @Test
    void aStopUnderLoadAnswersWhatIsUnderWayAndLeavesNothingHalfDone() throws Exception {
        try (var stage = Stage.open()) {
            var service = stage.start(Stage.PATIENT);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < WRITERS; i++) {
                    String writer = "writer-" + i + '-';
                    threads.submit(() -> writeUntilRefused(service, writer));
                }
                Wait.until("some are acknowledged", () -> acknowledged.size() > 377);
                service.close();
            }

            assertThat(refusals).allMatch(answer -> answer.status() == 503);
            assertThat(stage.rows("select user_id from user_reaction"))
                    .as("what was acknowledged, and nothing that was not")
                    .containsExactlyInAnyOrderElementsOf(acknowledged);
            stage.assertSound();
        }
    }

    /** Refused is an answer that says so, or a connection that is not made or ends without one. */
    private void writeUntilRefused(Instance service, String writer) {
        for (int n = 0; ; n++) {
            try {
                var answer = service.add(POSTS, "1", writer + n, "👍");
                if (answer.status() != 200) {
                    refusals.add(answer);
                    return;
                }
                acknowledged.add(writer + n);
            } catch (UncheckedIOException e) {
                return;
            }
        }
    }
}
