package dev.ovation.audit.tally;

import dev.ovation.entity.Counter;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;

/**
 * The data of one entity in all tables, its rows counted anew, all of one instant.
 *
 * @param place its place
 * @param counters its counters, by reaction
 * @param counted its user reactions, counted anew
 * @param users the reactions of the requested users; a user without any is missing
 */
public record EntityTally(
        PartitionPosition place,
        Map<String, Counter> counters,
        CountedRows counted,
        Map<String, Set<String>> users) {

    /**
     * The place of an entity.
     *
     * @param epoch epoch of its partition
     * @param applied the last applied event of this epoch
     * @param head its row in {@code entity}; null for none
     */
    public record PartitionPosition(long epoch, long applied, @Nullable TallyHead head) {}

    /** The row of an entity. */
    public record TallyHead(long version, String op, long lastAt, long people) {}

    /**
     * The user reactions of an entity, counted.
     *
     * @param rows their sums, by reaction
     * @param people number of their users
     */
    public record CountedRows(Map<String, Rows> rows, long people) {
        /** Returns the number of all rows. */
        public long total() {
            return rows.values().stream().mapToLong(Rows::count).sum();
        }
    }

    /** The number of rows of one reaction, and the times of the first and the last. */
    public record Rows(long count, long firstAt, long lastAt) {
        Rows plus(Rows more) {
            return new Rows(
                    count + more.count,
                    Math.min(firstAt, more.firstAt),
                    Math.max(lastAt, more.lastAt));
        }
    }

    /** Returns the row of the entity; null for none. */
    public @Nullable TallyHead head() {
        return place.head();
    }

    /** Returns the sums of the user reactions, by reaction. */
    public Map<String, Rows> rows() {
        return counted.rows;
    }

    /** Returns the number of user reactions. */
    public long total() {
        return counted.total();
    }
}
