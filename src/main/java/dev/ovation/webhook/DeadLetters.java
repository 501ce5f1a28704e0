package dev.ovation.webhook;

import dev.ovation.store.log.LogPositions;

import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Instant;
import java.util.List;

/** Table {@code dead_letter}: messages that were given up. */
final class DeadLetters {

    /** Greatest number in a list. */
    private static final int MOST = 100;

    private final JdbcTemplate jdbc;

    DeadLetters(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** A message that was given up. */
    record DeadLetter(String messageId, Instant failedAt, int events, int attempts, String error) {}

    /** Returns the newest dead letters of a webhook. */
    List<DeadLetter> of(String webhook) {
        return jdbc.query(
                """
                select message_id, failed_at, events, attempts, error from dead_letter
                where  webhook_id = ? order by failed_at desc, message_id limit ?
                """,
                (row, _) ->
                        new DeadLetter(
                                row.getString(1),
                                row.getTimestamp(2).toInstant(),
                                row.getInt(3),
                                row.getInt(4),
                                row.getString(5)),
                webhook,
                MOST);
    }

    /**
     * Returns a place before the given one and before all dead letters of a webhook, and after
     * changes that are not kept any more.
     *
     * @param start the place before the first change that is kept
     */
    LogPositions before(String webhook, LogPositions given, LogPositions start) {
        LogPositions place = given.copy();
        jdbc.query(
                "select positions from dead_letter where webhook_id = ?",
                row -> {
                    long[] dead = WebhookTable.longs(row.getArray(1));
                    for (int p = 0; p < dead.length; p++) {
                        place.positions()[p] = Math.min(place.positions()[p], dead[p]);
                    }
                },
                webhook);
        for (int p = 0; p < place.positions().length; p++) {
            place.positions()[p] = Math.max(place.positions()[p], start.positions()[p]);
        }
        return place;
    }

    boolean isAny(String webhook) {
        return Boolean.TRUE.equals(
                jdbc.queryForObject(
                        "select exists (select from dead_letter where webhook_id = ?)",
                        Boolean.class,
                        webhook));
    }

    void delete(String webhook) {
        jdbc.update("delete from dead_letter where webhook_id = ?", webhook);
    }
}
