package dev.ovation.audit.tally;

import dev.ovation.entity.Counter;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;

/**
 * What all tables say about one entity, counted anew, all of one instant.
 *
 * @param place where it stands
 * @param counters its counters, by reaction
 * @param rows what its user reactions add up to, by reaction
 * @param users the reactions of the requested users; a user without any is missing
 */
public record EntityTally(
        PartitionPosition place,
        Map<String, Counter> counters,
        Map<String, Rows> rows,
        Map<String, Set<String>> users) {

    /**
     * Where an entity stands.
     *
     * @param epoch epoch of its partition
     * @param applied the last event of this epoch that is applied
     * @param head its row in {@code entity}; null when there is none
     */
    public record PartitionPosition(long epoch, long applied, @Nullable TallyHead head) {}

    /** The row of an entity. */
    public record TallyHead(long version, String op, long lastAt) {}

    /** How many rows of one reaction there are, and when the first and the last of them came. */
    public record Rows(long count, long firstAt, long lastAt) {
        Rows plus(Rows more) {
            return new Rows(
                    count + more.count,
                    Math.min(firstAt, more.firstAt),
                    Math.max(lastAt, more.lastAt));
        }
    }

    /** Returns its row in {@code entity}; null when there is none. */
    public @Nullable TallyHead head() {
        return place.head();
    }

    /** Returns how many user reactions there are. */
    public long total() {
        return rows.values().stream().mapToLong(Rows::count).sum();
    }
}
