package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;

/** The load of the nemesis without its faults: a test disturbs the ground itself. */
final class CheckedLoad implements AutoCloseable {

    private final Ground ground;
    private final Figures figures = new Figures();
    private final Violations violations = new Violations();
    private final Histories histories;
    private final Drift drift;
    private final WebhookConsumer consumer;
    private final Load load;
    private final Prober prober;
    private final Audit audit;

    CheckedLoad(Ground ground, long seed) {
        this.ground = ground;
        var doors = ground.doors();
        histories = new Histories(ground.season(), InstantSource.system(), violations);
        drift = new Drift(ground, violations);
        var moderator =
                new Moderator(seed, ground.effects(), histories, doors, figures, violations);
        consumer =
                new WebhookConsumer(new EventJudge(violations), seed, doors, figures, violations);
        load = new Load(ground, seed, moderator, consumer, histories, figures, violations);
        prober = new Prober(ground, seed, moderator, histories, figures, violations);
        audit = new Audit(ground, violations);
    }

    /** Starts it; returns when all instances serve. */
    void start() throws IOException, InterruptedException {
        load.start();
        prober.awaitWell("the start");
    }

    /** Waits until all instances serve after a disturbance, and their audits find no drift. */
    void awaitWell(String what) throws InterruptedException {
        prober.awaitWell(what);
        drift.look(what);
    }

    /** Longest time without an answer to a write through this door since a moment. */
    Duration longestStop(Door door, long since) {
        return figures.longestStop(door, false, since, System.nanoTime());
    }

    /** Stops it, and judges all that was seen and is stored. */
    void judge() throws InterruptedException {
        load.stop();
        int snapshots = audit.stop();
        new FinalJudge(ground, histories, drift, violations).judge(load);
        assertThat(violations.found()).isEmpty();
        assertThat(snapshots).as("committed states audited").isPositive();
    }

    @Override
    public void close() {
        load.halt();
        audit.halt();
        consumer.close();
    }
}
