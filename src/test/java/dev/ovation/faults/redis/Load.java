package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Concurrent writers that continue while servers fail. Each user adds a reaction to one entity, and
 * one in three takes it back. The answers must explain the stored reactions.
 */
final class Load implements AutoCloseable {

    private static final int WRITERS = 8;
    private static final String REACTION = "👍";

    private final String entity;
    private final List<Instance> instances;
    private final Map<String, Has> users = new ConcurrentHashMap<>();
    private final AtomicInteger done = new AtomicInteger();
    private final List<CompletableFuture<Void>> writers;
    private volatile boolean running = true;

    /** State of a user's reaction, according to the answers. */
    private enum Has {
        IT,
        IT_NOT,
        MAYBE
    }

    private Load(String entity, List<Instance> instances) {
        this.entity = entity;
        this.instances = instances;
        this.writers =
                IntStream.range(0, WRITERS)
                        .mapToObj(number -> Stage.meanwhile(() -> write(number)))
                        .toList();
    }

    /** Starts the load, through all these instances in turn. */
    static Load on(String entity, Instance... instances) {
        return new Load(entity, List.of(instances));
    }

    /**
     * Waits for {@code more} acknowledged writes. The bound is long, because a partition that two
     * servers claim is taken back after pauses of up to 32 s.
     */
    void awaitDone(int more) {
        int before = done.get();
        Wait.until(
                more + " more writes are acknowledged",
                Duration.ofMinutes(3),
                () -> done.get() >= before + more);
    }

    /**
     * Ends the load. Acknowledged reactions are stored, refused ones are not, those with an unknown
     * outcome may be, and no others are.
     */
    void assertExplained(Stage stage) {
        close();
        writers.forEach(CompletableFuture::join);
        stage.awaitDrained();
        var there =
                new HashSet<>(
                        stage.rows("select user_id from named_reaction where entity = ?", entity));
        assertThat(users.keySet()).containsAll(there);
        users.forEach(
                (user, has) -> {
                    if (has != Has.MAYBE) {
                        assertThat(there.contains(user)).as(user).isEqualTo(has == Has.IT);
                    }
                });
        assertThat(instances)
                .allSatisfy(
                        instance ->
                                assertThat(Stage.counts(instance.read(POSTS, entity, null)))
                                        .isEqualTo(Map.of(REACTION, (long) there.size())));
    }

    @Override
    public void close() {
        running = false;
    }

    private Void write(int number) {
        for (int n = 0; running; n++) {
            String user = number + "-" + n;
            var through = instances.get(n % instances.size());
            var has = after(through.add(POSTS, entity, user, REACTION), Has.IT_NOT, Has.IT);
            if (has == Has.IT && n % 3 == 0) {
                has = after(through.remove(POSTS, entity, user, REACTION), Has.IT, Has.IT_NOT);
            }
            users.put(user, has);
        }
        return null;
    }

    private Has after(Answer answer, Has before, Has then) {
        if (answer.status() == 200) {
            done.incrementAndGet();
            return then;
        }
        return switch (Crowd.code(answer)) {
            case "unavailable" -> before;
            case "outcome-unknown" -> Has.MAYBE;
            default -> throw new AssertionError(answer.body());
        };
    }
}
