package dev.ovation.chaos;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the auditors of the instances found: nothing, whatever happens, or it was a false alarm. */
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
                boolean made = store.contains("redis") && fault.contains("outboxes deleted");
                if (now > (before == null ? 0 : before) && !made) {
                    violations.add("%s found drift after %s: %s".formatted(door, fault, line));
                }
            }
        }
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
