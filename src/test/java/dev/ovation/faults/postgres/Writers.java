package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A load on one entity: each user reacts once, and every acknowledged reaction must be stored. */
final class Writers implements AutoCloseable {

    private static final int THREADS = 8;
    private static final int SOME = 97;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Instance service;
    private final String entity;

    Writers(Instance service, String entity) {
        this.service = service;
        this.entity = entity;
        for (int i = 0; i < THREADS; i++) {
            String name = "writer-" + i + '-';
            threads.submit(() -> write(name));
        }
    }

    private void write(String name) {
        for (int n = 0; !stopped.get(); n++) {
            var answer = service.add(POSTS, entity, name + n, "👍");
            if (answer.status() == 200) {
                acknowledged.add(name + n);
            } else {
                failures.incrementAndGet();
            }
            if (answer.status() != 200
                    && answer.json().at("/outcome").asString().equals("refused")) {
                refused.add(name + n);
            }
        }
    }

    /** Waits for further acknowledgements. */
    void awaitSome() {
        int before = acknowledged.size();
        Wait.until("more are acknowledged", () -> acknowledged.size() >= before + SOME);
    }

    /** Number of writes that were not acknowledged. */
    int failures() {
        return failures.get();
    }

    void stop() {
        stopped.set(true);
        threads.close();
    }

    /**
     * Asserts that acknowledged reactions are stored, refused ones are not, and the count is right.
     */
    void assertNothingIsLost(Stage stage) {
        stage.awaitDrained();
        var users =
                stage.rows(
                        "select user_id from named_reaction where namespace = ? and entity = ?",
                        POSTS,
                        entity);
        assertThat(users).containsAll(acknowledged).noneMatch(refused::contains);
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(users.size());
        assertThat(Stage.counts(service.read(POSTS, entity, null)))
                .containsEntry("👍", (long) users.size());
    }

    @Override
    public void close() {
        stop();
    }
}
