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
 * Checks the findings of the auditors. Postgres must have no drift. Drift in Redis must not last,
 * unless a fault changes Redis by hand.
 */
final class Drift {

    private static final String METRIC = "ovation_audit_drift_total";

    /** Bounds a hang. An audit takes 10 s, and more under concurrent writes. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    static final Duration BOUND = Duration.ofMinutes(3);

    private final Ground ground;
    private final List<Door> doors;
    private final Violations violations;
    private final Map<String, Double> found = new HashMap<>();

    /** Start of the last check, from {@link System#nanoTime}; a later finding is newer than it. */
    private long looked = System.nanoTime();

    Drift(Ground ground, Violations violations) {
        this.ground = ground;
        this.doors = ground.doors();
        this.violations = violations;
    }

    /**
     * Checks for drift after a fault, when all parts are available again. One kind of fault makes
     * drift by hand: it deletes an outbox in Redis, so that a change waits for a commit that never
     * comes. An auditor should find that drift. If the keys of entities or the meta key are gone,
     * no drift remains.
     *
     * <p>An instance may hang, die, or lose Redis after it committed a batch of an import or an
     * erasure. It then acknowledges the batch to Redis only when it is back, or another instance
     * does after it took over the job. Until then other instances read the older state there. On a
     * busy machine any thread may pause, after any fault. Therefore drift that is found in Redis
     * alone, during such a job or after such a fault, must be repaired while no client writes or
     * evicts.
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
        ground.rest(true);
        try {
            Wait.until(
                    "the drift that %s found after %s is repaired".formatted(door, fault),
                    BOUND,
                    () ->
                            ask(door, "POST", "/actuator/audit?sample=50")
                                    .json()
                                    .at("/drift")
                                    .isEmpty());
        } finally {
            ground.rest(false);
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

    /** Whether an import or an erasure is in progress, or ended after that time. */
    private boolean isJobSince(long nanoTime) {
        try (var connection = ground.connect();
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

    /** Counters of drift of an instance that exceed their previous values. */
    private List<String> grown(Door door) {
        var answer = ask(door, "GET", "/actuator/prometheus");
        var lines = answer.body().lines().filter(line -> line.startsWith(METRIC)).toList();
        if (lines.size() != 2) {
            violations.add("%s does not report drift, but answers %s".formatted(door, answer));
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

    /**
     * Audits all entities on every instance, without concurrent writes; each must be comparable.
     */
    void audit(int entities) {
        for (Door door : doors) {
            int checked = 0;
            while (checked < entities) {
                var answer = ask(door, "POST", "/actuator/audit?sample=50");
                var json = answer.json();
                int more = json.at("/checked").asInt(0);
                if (more == 0 || json.at("/skipped").asInt() > 0 || !json.at("/drift").isEmpty()) {
                    violations.add("the final audit of %s returned %s".formatted(door, answer));
                    return;
                }
                checked += more;
            }
        }
        look("the end");
    }

    /** Retries, because a pooled connection may be one that a fault broke. */
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
