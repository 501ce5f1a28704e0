package dev.ovation.chaos;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the auditors of the instances found: nothing in Postgres, and in Redis nothing that stays,
 * but where a fault makes Redis differ from Postgres by hand.
 */
final class Drift {

    private static final String METRIC = "ovation_audit_drift_total";

    /** Bounds a hang. An audit takes 10 s by itself, and more where many others write. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    static final Duration BOUND = Duration.ofMinutes(3);

    private final Bench bench;
    private final List<Door> doors;
    private final Violations violations;
    private final Map<String, Double> found = new HashMap<>();

    /** When the last look began, as of {@link System#nanoTime}: what is found later came later. */
    private long looked = System.nanoTime();

    Drift(Bench bench, Violations violations) {
        this.bench = bench;
        this.doors = bench.doors();
        this.violations = violations;
    }

    /**
     * After a fault, of which all are well again. One kind makes drift by hand, in Redis: without
     * its outbox a change waits for a commit that never comes, which is what an auditor should
     * find. Where keys of entities or the meta are gone, there is nothing left that could be wrong.
     *
     * <p>An instance that stands still, dies, or is cut off from Redis after it committed a batch
     * of an import or of an erasure cannot tell Redis of it until it is back, or another has taken
     * its job over: until then others find the older state there. A busy machine lets any thread
     * stand still, after any fault. So what is found in Redis alone, while there was such a job or
     * after a fault of that kind, must be mended while nobody writes or evicts.
     */
    void look(String fault) {
        long now = System.nanoTime();
        for (Door door : doors) {
            List<String> grown = grown(door);
            if (fault.contains("outboxes deleted")) {
                grown.removeIf(Drift::isInRedis);
            }
            if (!grown.isEmpty()
                    && grown.stream().allMatch(Drift::isInRedis)
                    && (isCutOff(fault) || isJobSince(looked))) {
                awaitMended(door, fault);
                grown(door);
                grown.clear();
            }
            for (String line : grown) {
                violations.add("%s found drift after %s: %s".formatted(door, fault, line));
            }
        }
        looked = now;
    }

    private void awaitMended(Door door, String fault) {
        bench.rest(true);
        try {
            Wait.until(
                    "what %s found after %s is mended".formatted(door, fault),
                    BOUND,
                    () ->
                            ask(door, "POST", "/actuator/audit?sample=50")
                                    .json()
                                    .at("/drift")
                                    .isEmpty());
        } finally {
            bench.rest(false);
        }
    }

    private static boolean isCutOff(String fault) {
        return Stream.of(
                        "instance paused",
                        "instance killed",
                        "instance halted",
                        "the link to Redis: cut",
                        "the link to Redis: silent",
                        "the link to Redis: loses")
                .anyMatch(fault::contains);
    }

    /** Whether there is an import or an erasure, or one ended since then. */
    private boolean isJobSince(long nanoTime) {
        try (var connection = bench.connect();
                var statement =
                        connection.prepareStatement(
                                """
                                select from job
                                where  finished_at is null
                                or     finished_at > clock_timestamp() - ? * interval '1 second'
                                """)) {
            statement.setDouble(1, (System.nanoTime() - nanoTime) / 1e9);
            return statement.executeQuery().next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isInRedis(String line) {
        return line.contains("redis");
    }

    /** What an instance says of drift where that is more than it said before. */
    private List<String> grown(Door door) {
        var answer = ask(door, "GET", "/actuator/prometheus");
        var lines = answer.body().lines().filter(line -> line.startsWith(METRIC)).toList();
        if (lines.size() != 2) {
            violations.add("%s does not tell of drift, but %s".formatted(door, answer));
        }
        var grown = new ArrayList<String>();
        for (String line : lines) {
            int space = line.lastIndexOf(' ');
            double now = Double.parseDouble(line.substring(space));
            Double before = found.put(door + line.substring(0, space), now); // 0 after a restart
            if (now > (before == null ? 0 : before)) {
                grown.add(line);
            }
        }
        return grown;
    }

    /** Once nobody writes: every instance looks at all entities, and can compare each. */
    void audit(int entities) {
        for (Door door : doors) {
            int checked = 0;
            while (checked < entities) {
                var answer = ask(door, "POST", "/actuator/audit?sample=50");
                var json = answer.json();
                int more = json.at("/checked").asInt(0);
                if (more == 0 || json.at("/skipped").asInt() > 0 || !json.at("/drift").isEmpty()) {
                    violations.add("in the end an audit of %s says %s".formatted(door, answer));
                    return;
                }
                checked += more;
            }
        }
        look("the end");
    }

    /** A connection may still be one that a fault broke. */
    private static Answer ask(Door door, String method, String path) {
        var answers = new ArrayList<Answer>();
        Wait.until(
                "%s answers %s %s".formatted(door, method, path),
                BOUND,
                () ->
                        answers.add(door.send(PATIENCE, method, path, null))
                                && answers.getLast().status() == 200);
        return answers.getLast();
    }
}
