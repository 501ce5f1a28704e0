package dev.ovation.chaos;

import dev.ovation.chaos.Client.Habit;
import dev.ovation.chaos.Place.Space;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Finds out whether all instances serve reads and writes. */
final class Prober {

    /**
     * Bounds a hang. The report has the time of each recovery, which is longer on a busy machine.
     */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private static final List<Place> PROBES =
            IntStream.range(0, 8).mapToObj(i -> new Place(Space.FREE, "probe-" + i)).toList();

    private final List<Door> doors;
    private final Client client;
    private final Violations violations;

    Prober(
            Ground ground,
            long seed,
            Moderator moderator,
            Histories histories,
            Figures figures,
            Violations violations) {
        this.doors = ground.doors();
        this.violations = violations;
        this.client =
                new Client(
                        "prober",
                        Habit.ALL,
                        seed,
                        doors,
                        moderator,
                        histories,
                        figures,
                        violations);
    }

    /** Waits until all instances serve; else it is a violation. */
    void awaitWell(String what) throws InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!isWell()) {
            if (System.nanoTime() > end) {
                violations.add("no recovery within %s after %s".formatted(BOUND, what));
                return;
            }
            Thread.sleep(20);
        }
    }

    private boolean isWell() {
        return doors.stream()
                .allMatch(door -> PROBES.stream().allMatch(place -> client.works(door, place)));
    }
}
