package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** One of two instances gets SIGTERM while clients write, with keys and without. */
@Beside
@ExtendWith(Pair.class)
class SigtermUnderLoadTest {

    private static final int WRITERS = 6;
    private static final int ENOUGH = 177;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<String> retried = ConcurrentHashMap.newKeySet();
    private final Set<Answer> refusals = ConcurrentHashMap.newKeySet();
    private final Set<Answer> failures = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean going = new AtomicBoolean(true);

    @Test
    void noAcknowledgedWriteIsLostAndRetriesElsewhereSucceed() throws Exception {
        // Draining has no bound that a busy machine could meet.
        try (var service =
                        Children.start(
                                Pair.stage(), "spring.lifecycle.timeout-per-shutdown-phase=2m");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < WRITERS; i++) {
                String writer = i + "-";
                threads.submit(() -> writeUntilRefused(service, "plain-" + writer));
                threads.submit(() -> writeOn(service, "keyed-" + writer));
                threads.submit(() -> writeToTheOther("other-" + writer));
            }
            try {
                Wait.until("some are acknowledged", () -> acknowledged.size() > ENOUGH);
                service.terminate();
                int soFar = acknowledged.size();
                Wait.until("the other continues", () -> acknowledged.size() > soFar + ENOUGH);
                Wait.until("a client retries elsewhere", () -> !retried.isEmpty());
            } finally {
                going.set(false);
                service.terminate(); // else writers that wait for a refusal never end
            }
        }

        assertThat(refusals).as("while draining").allMatch(answer -> answer.status() == 503);
        assertThat(failures).as("of clients that can go elsewhere").isEmpty();
        assertThat(retried).isNotEmpty();
        Pair.stage().awaitDrained();
        assertThat(stored("plain"))
                .as("exactly the acknowledged changes")
                .containsExactlyInAnyOrderElementsOf(acknowledgedOf("plain"));
        for (String entity : Set.of("keyed", "other")) {
            assertThat(stored(entity)).containsExactlyInAnyOrderElementsOf(acknowledgedOf(entity));
            assertThat(Pair.version(entity)).as("each once").isEqualTo(stored(entity).size());
        }
    }

    /**
     * A refusal is an answer that states it, or a connection that fails or ends without an answer.
     */
    private void writeUntilRefused(ServiceProcess service, String writer) {
        for (int n = 0; ; n++) {
            try {
                var answer = service.add(POSTS, "plain", writer + n, "👍");
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

    /**
     * A client with keys: it repeats failed requests through the other instance until an answer.
     */
    private void writeOn(ServiceProcess service, String writer) {
        int port = service.port();
        for (int n = 0; going.get(); n++) {
            String user = writer + n;
            while (!acknowledged.contains(user)) {
                try {
                    var answer = keyed(port, user);
                    if (answer.status() == 200) {
                        acknowledged.add(user);
                        continue;
                    }
                    if (port == service.port()) {
                        refusals.add(answer);
                    } else if (answer.status() != 409) {
                        failures.add(answer);
                        return;
                    }
                } catch (UncheckedIOException e) {
                    // the connection was not made, or ended without an answer
                }
                retried.add(user);
                port = Pair.other().port();
            }
        }
    }

    private static Answer keyed(int port, String user) {
        String body = Instance.body(POSTS, "keyed", user, "👍");
        return Instance.sendTo(port, "POST", "/reactions", body, "Idempotency-Key", user);
    }

    private void writeToTheOther(String writer) {
        for (int n = 0; going.get(); n++) {
            var answer = Pair.other().add(POSTS, "other", writer + n, "👍");
            if (answer.status() == 200) {
                acknowledged.add(writer + n);
            } else {
                failures.add(answer);
            }
        }
    }

    private Set<String> acknowledgedOf(String entity) {
        var users = ConcurrentHashMap.<String>newKeySet();
        acknowledged.stream().filter(user -> user.startsWith(entity)).forEach(users::add);
        return users;
    }

    private static List<String> stored(String entity) {
        return Pair.stage().rows("select user_id from named_reaction where entity = ?", entity);
    }
}
