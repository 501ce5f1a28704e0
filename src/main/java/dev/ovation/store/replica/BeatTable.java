package dev.ovation.store.replica;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.Objects;

/** Table {@code replica_beat}: the newest beat of each instance that reads from a replica. */
final class BeatTable {

    /**
     * The commit of a beat waits neither for the disk nor for a standby: the next commit, or
     * Postgres within a fraction of a second, takes the beat along.
     */
    private static final String WRITE =
            """
            with quick as materialized (select set_config('synchronous_commit', 'off', true))
            insert into replica_beat as b (instance, beat, at)
            select ?, ?, now() from quick
            on conflict (instance) do update set beat = excluded.beat, at = excluded.at
            where  b.beat < excluded.beat
            """;

    private final JdbcTemplate primary;

    BeatTable(JdbcTemplate primary) {
        this.primary = primary;
    }

    /** Writes a beat to the primary. */
    void write(String instance, long beat) {
        primary.update(WRITE, instance, beat);
    }

    /** Deletes the beats of instances that ended a day ago or earlier. */
    void purge() {
        primary.update("delete from replica_beat where at < now() - interval '1 day'");
    }

    /**
     * Beats in one snapshot.
     *
     * @param isStandby whether the server is a standby
     * @param own beat of the one instance; 0 for none
     * @param other beat of the other instance; 0 for none
     */
    record BeatsSeen(boolean isStandby, long own, long other) {}

    /** Reads the beats of two instances from a server. */
    static BeatsSeen read(JdbcTemplate server, String own, String other) {
        return Objects.requireNonNull(
                server.queryForObject(
                        """
                        select pg_is_in_recovery(),
                               coalesce((select beat from replica_beat where instance = ?), 0),
                               coalesce((select beat from replica_beat where instance = ?), 0)
                        """,
                        (row, _) ->
                                new BeatsSeen(row.getBoolean(1), row.getLong(2), row.getLong(3)),
                        own,
                        other));
    }
}
