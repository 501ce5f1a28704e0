package dev.ovation.chaos;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the auditors of the instances found: nothing, or it was a false alarm, but where a fault
 * makes Redis differ from Postgres indeed.
 */
final class Drift {

    private static final String METRIC = "ovation_audit_drift_total";

    private final List<Door> doors;
    private final Violations violations;
    private final Map<String, Double> found = new HashMap<>();

    Drift(List<Door> doors, Violations violations) {
        this.doors = doors;
        this.violations = violations;
    }

    /**
     * After a fault, of which all are well again. One kind makes drift by hand, in Redis: without
     * its outbox a change waits for a commit that never comes, which is what an auditor should
     * find. Where keys of entities or the meta are gone, there is nothing left that could be wrong.
     */
    void look(String fault) {
        for (Door door : doors) {
            List<String> grown = grown(door);
            if (fault.contains("outboxes deleted")) {
                grown.removeIf(Drift::isInRedis);
            }
            if (!grown.isEmpty() && grown.stream().allMatch(Drift::isInRedis) && isCutOff(fault)) {
                Wait.until(
                        "what %s found after %s is mended".formatted(door, fault),
                        () ->
                                ask(door, "POST", "/actuator/audit?sample=50")
                                        .json()
                                        .at("/drift")
                                        .isEmpty());
                grown(door);
                grown.clear();
            }
            for (String line : grown) {
                violations.add("%s found drift after %s: %s".formatted(door, fault, line));
            }
        }
    }

    private static boolean isInRedis(String line) {
        return line.contains("redis");
    }

    /**
     * An instance that stands still, dies, or is cut off from Redis after it committed a batch of
     * an import or of an erasure cannot tell Redis of it until it is back, or another has taken its
     * job over: until then others find the older state there.
     */
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
                () ->
                        answers.add(door.send(method, path, null))
                                && answers.getLast().status() == 200);
        return answers.getLast();
    }
}
