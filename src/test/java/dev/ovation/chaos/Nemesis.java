package dev.ovation.chaos;

import dev.ovation.chaos.Fault.Part;
import dev.ovation.testing.Citus;

import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Causes faults one after the other, each kind once before any repeats, in an order of the seed.
 */
final class Nemesis {

    /**
     * Restricts a run to some kinds: {@code -Dchaos.faults} is a part of their names, or a pattern.
     */
    private static final Pattern CHOSEN = Pattern.compile(System.getProperty("chaos.faults", ""));

    private static final String TWO = "two at once";

    private final Bench bench;

    /** Found in the kinds of faults that this run may cause. */
    private final Pattern only;

    private final Chance random;
    private final Prober prober;
    private final Figures figures;
    private final Drift drift;
    private final Violations violations;
    private final List<Fault> bag = new ArrayList<>();
    private final List<Strike> strikes = new ArrayList<>();

    /** A fault that occurred; moments are from {@link System#nanoTime}. */
    record Strike(
            String at,
            Fault fault,
            long struck,
            long back,
            long well,
            Duration otherReads,
            Duration otherWrites,
            Duration reads,
            Duration writes) {
        boolean hit(String kind) {
            return fault.kind().contains(kind);
        }

        Duration untilWell() {
            return Duration.ofNanos(well - back);
        }

        @Override
        public String toString() {
            return "%s %s, for %.1f s, all well after %.1f s"
                    .formatted(at, fault.kind(), (back - struck) / 1e9, (well - back) / 1e9);
        }
    }

    Nemesis(
            Bench bench,
            Pattern only,
            long seed,
            int haste,
            Moderator moderator,
            Histories histories,
            Figures figures,
            Drift drift,
            Violations violations) {
        this.bench = bench;
        this.only = only;
        this.random = new Chance(seed, haste);
        this.figures = figures;
        this.drift = drift;
        this.violations = violations;
        this.prober = new Prober(bench, seed, moderator, histories, figures, violations);
    }

    /** The faults that this run may cause. */
    List<Fault> all() {
        return (bench.isClustered() ? ofCluster() : ofOne())
                .stream().filter(fault -> only.matcher(fault.kind()).find()).toList();
    }

    /** Links to the nodes of a cluster have no proxy, because the nodes name each other. */
    private static List<Fault> ofCluster() {
        return Stream.of(
                        ClusterFaults.all(),
                        RedisFaults.byHand(),
                        PostgresFaults.all(),
                        InstanceFaults.all(),
                        LinkFaults.withoutRedis())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Fault> ofOne() {
        return Stream.of(
                        RedisFaults.all(),
                        Citus.IS_GIVEN ? CitusFaults.all() : PostgresFaults.all(),
                        InstanceFaults.all(),
                        LinkFaults.all())
                .flatMap(List::stream)
                .toList();
    }

    List<Fault> kinds() {
        return all().stream().filter(fault -> CHOSEN.matcher(fault.kind()).find()).toList();
    }

    /**
     * Runs from the time at which all is well until the time is over, a violation is found, or the
     * service does not recover. On a busy machine the start may take longer than the time.
     */
    void run(Duration time) throws Exception {
        prober.awaitWell("the start");
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end && !violations.any()) {
            strike(random.nextInt(6) == 0 ? two() : next());
            random.last(200, 1500);
        }
        strikes.stream()
                .map(strike -> strike.fault().kind())
                .distinct()
                .filter(CitusFaults::isNeverMade)
                .forEach(kind -> violations.add(kind + ": Citus took back each one"));
    }

    private void strike(Fault fault) throws Exception {
        String at = LocalTime.now().truncatedTo(ChronoUnit.MILLIS).toString();
        System.out.println(at + " " + fault.kind());
        long struck = System.nanoTime();
        fault.action().run(bench, random.another());
        long back = System.nanoTime();
        prober.awaitWell(fault.kind());
        long well = System.nanoTime();
        drift.look(fault.kind());
        var others = fault.part() == Part.INSTANCE ? bench.doors().subList(0, 1) : bench.doors();
        strikes.add(
                new Strike(
                        at,
                        fault,
                        struck,
                        back,
                        well,
                        longest(others, true, struck, well),
                        longest(others, false, struck, well),
                        longest(bench.doors(), true, back, well),
                        longest(bench.doors(), false, back, well)));
    }

    private Duration longest(List<Door> doors, boolean reads, long from, long to) {
        return doors.stream()
                .map(door -> figures.longestStop(door, reads, from, to))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private Fault next() {
        if (bag.isEmpty()) {
            bag.addAll(kinds());
            Collections.shuffle(bag, random);
        }
        return bag.removeLast();
    }

    /** Two concurrent faults of different parts. */
    private Fault two() {
        var one = next();
        var kinds = kinds().stream().filter(kind -> kind.part() != one.part()).toList();
        if (kinds.isEmpty()) {
            return one;
        }
        var other = kinds.get(random.nextInt(kinds.size()));
        return new Fault(
                TWO + " (" + one.kind() + " + " + other.kind() + ")",
                Part.INSTANCE,
                (bench, random) -> {
                    var its = random.another();
                    var meanwhile = Fault.meanwhile(() -> beside(other, one, its));
                    beside(one, other, random);
                    meanwhile.join();
                });
    }

    /** Only a fault of Redis that locks rows may fail, if Postgres has a concurrent fault. */
    private void beside(Fault first, Fault second, Chance random) {
        try {
            second.action().run(bench, random);
        } catch (SQLException e) {
            if (second.part() != Part.REDIS || first.part() != Part.POSTGRES) {
                failed(second, e);
            }
        } catch (Exception | Error e) {
            failed(second, e);
        }
    }

    private void failed(Fault fault, Throwable e) {
        violations.add("%s failed beside another: %s".formatted(fault.kind(), Load.trace(e)));
    }

    List<Strike> strikes() {
        return strikes;
    }
}
