package dev.ovation.audit;

import dev.ovation.audit.Difference.DriftKind;
import dev.ovation.audit.Difference.Store;
import dev.ovation.audit.tally.EntityTally;
import dev.ovation.audit.tally.EntityTally.PartitionPosition;
import dev.ovation.entity.Counter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares the data of one entity in its tables and in Redis. */
final class Comparison {

    private Comparison() {}

    /** Compares the counters and the row of an entity with its user reactions. */
    static List<Difference> postgres(EntityTally tally) {
        var differences = new ArrayList<Difference>();
        for (String reaction : union(tally.counters().keySet(), tally.rows().keySet())) {
            var counter = tally.counters().get(reaction);
            var rows = tally.rows().get(reaction);
            long expected = rows == null ? 0 : rows.count();
            if (counter == null || rows == null || counter.count() != expected) {
                differences.add(
                        new Difference(
                                Store.POSTGRES,
                                DriftKind.COUNT,
                                reaction,
                                Long.toString(expected),
                                counter == null ? "no counter" : counter.count() + ""));
            } else if (counter.firstAt() > rows.firstAt() || counter.lastAt() < rows.lastAt()) {
                differences.add(
                        new Difference(
                                Store.POSTGRES,
                                DriftKind.TIMES,
                                reaction,
                                "%d/%d or around".formatted(rows.firstAt(), rows.lastAt()),
                                times(counter)));
            }
        }
        if (tally.head() == null && !(tally.counters().isEmpty() && tally.rows().isEmpty())) {
            differences.add(
                    new Difference(
                            Store.POSTGRES, DriftKind.VERSION, "", "a row of its own", "none"));
        }
        if (tally.head() != null && tally.head().people() != tally.counted().people()) {
            differences.add(
                    new Difference(
                            Store.POSTGRES,
                            DriftKind.PEOPLE,
                            "",
                            Long.toString(tally.counted().people()),
                            Long.toString(tally.head().people())));
        }
        return differences;
    }

    /** Checks the conditions that hot state must meet independently of Postgres. */
    static List<Difference> redisAlone(HotCopy hot) {
        if (!hot.isAhead()) {
            return hot.isWithoutTtl()
                    ? List.of(
                            redis(
                                    DriftKind.TTL,
                                    "",
                                    "one, as nothing waits for its commit",
                                    "none"))
                    : List.of();
        }
        if (hot.hasTtl()) {
            return List.of(
                    redis(DriftKind.TTL, "", "none, as a change waits for its commit", "one"));
        }
        return hot.isWaiting()
                ? List.of()
                : List.of(redis(DriftKind.OUTBOX, "", "an event " + hot.op(), "none"));
    }

    /** Returns whether both hold the same state; only then their contents can be compared. */
    static boolean isSameState(PartitionPosition place, HotCopy hot) {
        return state(place).equals(state(hot));
    }

    static Difference otherState(PartitionPosition place, HotCopy hot) {
        return redis(DriftKind.VERSION, "", state(place), state(hot));
    }

    private static String state(PartitionPosition place) {
        var head = place.head();
        return head == null ? "0/" : head.version() + "/" + head.op();
    }

    private static String state(HotCopy hot) {
        return hot.version() + "/" + hot.op();
    }

    /** Compares hot state with the user reactions of the same state in Postgres. */
    static List<Difference> redis(EntityTally tally, HotCopy hot) {
        var differences = new ArrayList<Difference>();
        var counters = hot.counters();
        for (String reaction : union(tally.rows().keySet(), counters.keySet())) {
            var rows = tally.rows().get(reaction);
            var stored = tally.counters().get(reaction);
            var found = counters.get(reaction);
            long expected = rows == null ? 0 : rows.count();
            if (found == null || found.count() != expected) {
                long count = found == null ? 0 : found.count();
                differences.add(redis(DriftKind.COUNT, reaction, expected + "", count + ""));
            } else if (stored != null && !times(stored).equals(times(found))) {
                differences.add(redis(DriftKind.TIMES, reaction, times(stored), times(found)));
            }
        }
        if (hot.people() != tally.counted().people()) {
            differences.add(
                    redis(DriftKind.PEOPLE, "", tally.counted().people() + "", hot.people() + ""));
        }
        long lastAt = tally.head() == null ? 0 : tally.head().lastAt();
        if (hot.at() != lastAt) {
            differences.add(redis(DriftKind.TIMES, "", lastAt + "", hot.at() + ""));
        }
        if (hot.hasUsers()) {
            users(tally, hot, differences);
        }
        return differences;
    }

    private static void users(EntityTally tally, HotCopy hot, List<Difference> differences) {
        int before = differences.size();
        long total = 0;
        for (var user : hot.users().entrySet()) {
            total += user.getValue().size();
            Set<String> expected = tally.users().getOrDefault(user.getKey(), Set.of());
            if (!expected.equals(user.getValue())) {
                differences.add(
                        redis(
                                DriftKind.USER,
                                user.getKey(),
                                list(expected),
                                list(user.getValue())));
            }
        }
        if (hot.isComplete() && differences.size() == before && total != tally.total()) {
            differences.add(
                    redis(DriftKind.USER, "", tally.total() + " in all", total + " in all"));
        }
    }

    private static Difference redis(DriftKind kind, String name, String expected, String found) {
        return new Difference(Store.REDIS, kind, name, expected, found);
    }

    private static String times(Counter counter) {
        return counter.firstAt() + "/" + counter.lastAt();
    }

    private static String list(Set<String> reactions) {
        return new TreeSet<>(reactions).toString();
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        var union = new TreeSet<>(one);
        union.addAll(other);
        return union;
    }
}
