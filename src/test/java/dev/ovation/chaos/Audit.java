package dev.ovation.chaos;

import java.sql.SQLException;

/** Checks committed states of Postgres during the run. */
final class Audit {

    private static final int PACE_MILLIS = 400;

    private final Ground ground;
    private final Violations violations;
    private final Thread thread;
    private Snapshot last;
    private int snapshots;
    private volatile boolean stopped;

    Audit(Ground ground, Violations violations) {
        this.ground = ground;
        this.violations = violations;
        this.thread = Thread.ofPlatform().start(this::run);
    }

    private void run() {
        while (!stopped) {
            try (var connection = ground.connect()) {
                while (!stopped) {
                    look(Snapshot.read(connection));
                    Thread.sleep(PACE_MILLIS);
                }
            } catch (SQLException e) {
                new Chance(0, 1).last(PACE_MILLIS, PACE_MILLIS); // Postgres is down
            } catch (InterruptedException | RuntimeException e) {
                violations.add("the auditor stopped: " + Load.trace(e));
                return;
            }
        }
    }

    private void look(Snapshot next) {
        snapshots++;
        next.faults().forEach(fault -> violations.add("in a committed state: " + fault));
        if (last != null) {
            next.faultsAfter(last).forEach(fault -> violations.add("committed: " + fault));
        }
        last = next;
    }

    /** Ends the audit after a failure, and does not wait for it. */
    void halt() {
        stopped = true;
    }

    /** Returns the number of states that it read. */
    int stop() throws InterruptedException {
        stopped = true;
        thread.join();
        return snapshots;
    }
}
