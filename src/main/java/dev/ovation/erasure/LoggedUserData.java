package dev.ovation.erasure;

import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Data of a user in the log of changes. Its rows stay, without the user. */
final class LoggedUserData {

    /** Start of a walk. */
    static final String START = "0:0";

    /** Rows that one statement looks at. */
    private static final int BATCH = 20_000;

    /** Time after which a step ends. */
    private static final Duration STEP = Duration.ofMillis(500);

    private static final String RANGES =
            """
            select t.p, greatest(l.first - 1, case when t.p = ? then ? else 0 end), l.last
            from   partition t
            cross  join lateral (
                select min(position) as first, max(position) as last
                from   change_log where p = t.p /*on p*/) l
            where  t.p >= ? and l.first is not null /*on t.p*/
            """;

    private final JdbcTemplate jdbc;
    private final ChangeLog log;
    private final Shards shards;

    LoggedUserData(JdbcTemplate jdbc, ChangeLog log, Shards shards) {
        this.shards = shards;
        this.jdbc = jdbc;
        this.log = log;
    }

    /** Positions of a partition that are still to be walked. */
    private record LogRange(int p, long after, long last) {}

    /**
     * Removes a user from rows of the log, for at most half a second.
     *
     * @param place where the walk continues
     * @return where it continues next; null at its end
     */
    @Nullable String redact(String user, String place) {
        String[] parts = place.split(":", 2);
        int p = Integer.parseInt(parts[0]);
        long end = System.nanoTime() + STEP.toNanos();
        for (LogRange range : ranges(p, Long.parseLong(parts[1]))) {
            for (long from = range.after(); from < range.last(); from += BATCH) {
                if (System.nanoTime() - end > 0) {
                    return range.p() + ":" + from;
                }
                log.redact(range.p(), user, from, from + BATCH);
            }
        }
        return null;
    }

    private List<LogRange> ranges(int p, long after) {
        var ranges = new ArrayList<LogRange>();
        shards.each(
                () ->
                        ranges.addAll(
                                jdbc.query(
                                        Narrowed.sql(RANGES),
                                        (row, _) ->
                                                new LogRange(
                                                        row.getInt(1),
                                                        row.getLong(2),
                                                        row.getLong(3)),
                                        p,
                                        after,
                                        p)));
        ranges.sort(Comparator.comparingInt(LogRange::p));
        return ranges;
    }

    /** Announces the erasure, under the lock of a partition. */
    void announce(int p, String user) {
        log.appendErasedUser(p, user);
    }
}
