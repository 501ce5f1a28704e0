package dev.ovation.chaos;

import dev.ovation.chaos.Fault.Part;
import dev.ovation.hot.state.Failpoints.Point;

import java.util.List;

/** Faults of an instance. They always affect the second one, which has a process of its own. */
final class InstanceFaults {

    private static final int MOST_WAITS = 40;

    private InstanceFaults() {}

    static List<Fault> all() {
        return List.of(
                fault("instance killed", InstanceFaults::killed),
                fault("instance paused", InstanceFaults::paused),
                fault("instance terminated", InstanceFaults::terminated),
                fault("instance halted at a failpoint", InstanceFaults::halted));
    }

    private static Fault fault(String kind, Fault.Action action) {
        return new Fault(kind, Part.INSTANCE, action);
    }

    private static void killed(Bench bench, Chance random) throws Exception {
        bench.killFar();
        random.last(0, 1500);
        bench.startFar(anywhere(random));
    }

    private static void paused(Bench bench, Chance random) throws Exception {
        bench.far().pause();
        random.last(500, 7000);
        bench.far().resume();
    }

    private static void terminated(Bench bench, Chance random) throws Exception {
        bench.terminateFar();
        random.last(0, 500);
        bench.startFar(anywhere(random));
    }

    /**
     * The point was chosen at the start of the instance. If no thread reaches it, the instance is
     * killed.
     */
    private static void halted(Bench bench, Chance random) throws Exception {
        bench.haltFar();
        for (int i = 0; i < MOST_WAITS && bench.far().isAlive(); i++) {
            Thread.sleep(50);
        }
        bench.killFar();
        bench.startFar(anywhere(random));
    }

    private static Point anywhere(Chance random) {
        return Point.values()[random.nextInt(Point.values().length)];
    }
}
