package dev.ovation.store;

import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Table {@code rejected_event}: events up to the watermark that were not applied. */
@Repository
public class RejectedEvents {

    private final JdbcTemplate jdbc;
    private final Shards shards;

    RejectedEvents(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /** A rejected event and the reason. */
    public record Rejected(int p, long epoch, long seq, String op, String reason) {}

    /** The events of one epoch of a partition above {@code after}. */
    public record Range(int p, long epoch, long after) {}

    /** Stores events, in the transaction that moves the watermark beyond them. */
    public void insert(List<Rejected> events) {
        jdbc.update(
                """
                insert into rejected_event (p, epoch, seq, op_id, reason)
                select * from unnest(?, ?, ?, ?, ?)
                """,
                Columns.ints(events, Rejected::p),
                Columns.longs(events, Rejected::epoch),
                Columns.longs(events, Rejected::seq),
                Columns.texts(events, Rejected::op),
                Columns.texts(events, Rejected::reason));
    }

    /**
     * Returns the numbers of the rejected events in these ranges, at most one for each partition.
     */
    public Map<Integer, Set<Long>> within(Collection<Range> ranges) {
        var found = new HashMap<Integer, Set<Long>>();
        shards.each(ranges, Range::p, some -> within(some, found));
        return found;
    }

    private void within(Collection<Range> ranges, Map<Integer, Set<Long>> found) {
        jdbc.query(
                Narrowed.sql(
                        """
                        select r.p, r.seq
                        from   unnest(?, ?, ?) as k (p, epoch, after)
                        join   rejected_event r
                               on r.p = k.p /*on r.p*/ and r.epoch = k.epoch and r.seq > k.after
                        """),
                row -> {
                    found.computeIfAbsent(row.getInt(1), _ -> new HashSet<>()).add(row.getLong(2));
                },
                Columns.ints(ranges, Range::p),
                Columns.longs(ranges, Range::epoch),
                Columns.longs(ranges, Range::after));
    }

    /**
     * Deletes up to {@code limit} events that were rejected longer than {@code age} ago, of each
     * shard.
     */
    public int deleteOlderThan(Duration age, int limit) {
        return shards.sum(
                () ->
                        jdbc.update(
                                Narrowed.sql(
                                        """
                                        delete from rejected_event
                                        where  ctid = any (array(
                                            select ctid from rejected_event
                                            where  rejected_at < now() - make_interval(secs => ?)
                                            /*on p*/
                                            limit  ?)) /*on p*/
                                        """),
                                age.toSeconds(),
                                limit));
    }
}
