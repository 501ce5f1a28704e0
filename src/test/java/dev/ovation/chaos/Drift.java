package dev.ovation.chaos;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    /** After a fault, of which all are well again. */
    void look(String fault) {
        for (Door door : doors) {
            var answer = ask(door, "GET", "/actuator/prometheus");
            var lines = answer.body().lines().filter(line -> line.startsWith(METRIC)).toList();
            if (lines.size() != 2) {
                violations.add("%s does not tell of drift, but %s".formatted(door, answer));
            }
            for (String line : lines) {
                int space = line.lastIndexOf(' ');
                String store = line.substring(0, space);
                double now = Double.parseDouble(line.substring(space));
                Double before = found.put(door + store, now); // a restart begins at 0
                boolean made = store.contains("redis") && makesDrift(fault);
                if (now > (before == null ? 0 : before) && !made) {
                    violations.add("%s found drift after %s: %s".formatted(door, fault, line));
                }
            }
        }
    }

    /**
     * One kind makes drift by hand, in Redis: without its outbox a change waits for a commit that
     * never comes, which is what an auditor should find. Where keys of entities or the meta are
     * gone, there is nothing left that could be wrong. And an instance that is stopped, or cut off
     * from Redis, after it committed a batch of an import or of an erasure cannot tell Redis of it
     * until it is back, or another has taken its job over: so long others find the older state.
     */
    private static boolean makesDrift(String fault) {
        return fault.contains("outboxes deleted")
                || fault.contains("instance")
                || fault.contains("the link to Redis");
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
