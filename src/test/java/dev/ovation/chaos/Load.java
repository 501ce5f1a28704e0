package dev.ovation.chaos;

import dev.ovation.chaos.Client.Habit;
import dev.ovation.chaos.Place.Space;

import io.lettuce.core.ScriptOutputType;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Clients, a moderator and watchers that continue through all faults, and threads that evict from
 * Redis and change the rules.
 */
final class Load {

    private static final int CLIENTS = 10;

    /** Bounds a hang of a reader or watcher. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    /** Bounds a hang of all clients together; the jobs of their imports run one after the other. */
    private static final Duration ALL_CLIENTS = Duration.ofMinutes(15);

    private static final String UNLINK_IF_CLEAN =
            "if redis.call('pttl', KEYS[1]) > 0 then return redis.call('unlink', KEYS[1]) end return 0";

    private final Ground ground;
    private final Violations violations;
    private final Random random;
    private final List<Client> clients = new ArrayList<>();
    private final List<StreamWatcher> watchers = new ArrayList<>();
    private final EventReader reader;
    private final WebhookConsumer consumer;
    private final Moderator moderator;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();
    private volatile boolean stopped;

    Load(
            Ground ground,
            long seed,
            Moderator moderator,
            WebhookConsumer consumer,
            Histories histories,
            Figures figures,
            Violations violations) {
        this.ground = ground;
        this.moderator = moderator;
        this.consumer = consumer;
        this.violations = violations;
        this.random = new Random(seed);
        this.reader =
                new EventReader(
                        new EventJudge(violations), seed, ground.doors(), figures, violations);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(
                    new Client(
                            "client-" + i,
                            Habit.ALL,
                            seed,
                            ground.doors(),
                            moderator,
                            histories,
                            figures,
                            violations));
        }
        for (Door door : ground.doors()) {
            for (var habit : List.of(Habit.READS, Habit.WRITES)) {
                clients.add(
                        new Client(
                                door + "-" + habit.name().toLowerCase(),
                                habit,
                                seed,
                                List.of(door),
                                moderator,
                                histories,
                                figures,
                                violations));
            }
        }
        for (Space space : Space.values()) {
            var judge =
                    new StreamJudge(
                            clients.get(space.ordinal()).user(),
                            Client.ofFirstUsers(space),
                            violations);
            watchers.add(new StreamWatcher(judge, seed, ground.doors(), figures, violations));
        }
    }

    /** Begins to read events and to receive them, then to write. */
    void start() throws IOException {
        reader.begin(BOUND);
        consumer.begin();
        repeat(500, consumer::act);
        repeat(150, moderator::act);
        repeat(50, reader::act);
        clients.forEach(client -> repeat(20, client::act));
        watchers.forEach(watcher -> repeat(100, watcher::act));
        repeat(100, this::evict);
        repeat(4000, this::changeRules);
    }

    /** Ends all actions after a failure, and does not wait for them. */
    void halt() {
        stopped = true;
    }

    /** Returns when no operation is in flight. */
    void stop() throws InterruptedException {
        stopped = true;
        for (var thread : threads) {
            thread.join();
        }
        long end = System.nanoTime() + ALL_CLIENTS.toNanos();
        moderator.settle(end);
        for (var client : clients) {
            client.settle(end);
        }
    }

    /** Waits until the watchers, the reader of events and the webhook have what is stored. */
    void judge(Callable<Snapshot> stored) {
        reader.end(stored, BOUND);
        watchers.forEach(watcher -> watcher.end(stored, BOUND));
        consumer.end(stored, BOUND);
    }

    /** Repeats an action with a pause of {@code pace} milliseconds. */
    private void repeat(int pace, Runnable act) {
        threads.add(
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        while (!stopped) {
                                            if (!ground.isResting()) {
                                                act.run();
                                            }
                                            Thread.sleep(pace);
                                        }
                                    } catch (InterruptedException | RuntimeException | Error e) {
                                        violations.add("the load stopped: " + trace(e));
                                    }
                                }));
    }

    static String trace(Throwable e) {
        return Stream.concat(Stream.of(e), Arrays.stream(e.getStackTrace()).limit(12))
                .map(Object::toString)
                .collect(Collectors.joining("\n    "));
    }

    /** Removes a clean key as Redis would: one hash of an entity, while the other may stay. */
    private void evict() {
        try {
            ground.redis(
                    redis -> {
                        for (int i = 0; i < 8; i++) {
                            String key = redis.randomkey();
                            if (key != null && (key.contains("}:c:") || key.contains("}:u:"))) {
                                redis.eval(UNLINK_IF_CLEAN, ScriptOutputType.INTEGER, key);
                            }
                        }
                        return null;
                    });
        } catch (RuntimeException e) {
            // Redis is down
        }
    }

    /** Changes the limit of one namespace, by a request or by the files. */
    private void changeRules() {
        int n = changes.incrementAndGet();
        var rules = ground.rules(4 + n % 2);
        var door = ground.doors().get(random.nextInt(ground.doors().size()));
        try {
            if (n % 4 < 2) {
                ground.write(rules);
            }
            var answer =
                    n % 4 < 2
                            ? door.send("POST", "/actuator/refresh", null)
                            : door.send(
                                    "POST",
                                    "/configuration",
                                    rules.json(),
                                    "Content-Type",
                                    "application/json");
            if (answer.status() != 200 && answer.status() != 503) {
                violations.add("a change of rules was answered by " + answer);
            }
        } catch (IOException e) {
            // the link or the instance is down
        }
    }
}
