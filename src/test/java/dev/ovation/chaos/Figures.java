package dev.ovation.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Statistics of the load: operations by outcome, and the gaps in reads and writes of each door. */
final class Figures {

    private static final long SHORTEST_STOP = Duration.ofMillis(50).toNanos();

    private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
    private final Map<Pulse, Beats> pulses = new ConcurrentHashMap<>();

    /** Reads or writes through one door. */
    private record Pulse(Door door, boolean reads) {}

    private record Stop(long from, long to) {
        private long within(long start, long end) {
            return Math.min(to, end) - Math.max(from, start);
        }
    }

    private static final class Beats {
        private long last = System.nanoTime();
        private final List<Stop> stops = new ArrayList<>();

        private synchronized void beat() {
            long now = System.nanoTime();
            if (now - last > SHORTEST_STOP) {
                stops.add(new Stop(last, now));
            }
            last = now;
        }

        private synchronized long longest(long start, long end) {
            long longest = new Stop(last, end).within(start, end);
            for (Stop stop : stops.reversed()) {
                longest = Math.max(longest, stop.within(start, end));
                if (stop.to < start) {
                    break;
                }
            }
            return Math.max(longest, 0);
        }
    }

    /** Counts an operation that ended; an answer shows that the door is open. */
    void ended(Door door, boolean read, String outcome, boolean answered) {
        outcomes.computeIfAbsent((read ? "read " : "write ") + outcome, _ -> new LongAdder())
                .increment();
        if (answered) {
            pulses.computeIfAbsent(new Pulse(door, read), _ -> new Beats()).beat();
        }
    }

    /** Longest time without an answer through this door between two moments. */
    Duration longestStop(Door door, boolean reads, long start, long end) {
        var beats = pulses.get(new Pulse(door, reads));
        return Duration.ofNanos(beats == null ? end - start : beats.longest(start, end));
    }

    Map<String, Long> outcomes() {
        var sums = new TreeMap<String, Long>();
        outcomes.forEach((outcome, sum) -> sums.put(outcome, sum.sum()));
        return sums;
    }
}
