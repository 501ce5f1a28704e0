package dev.ovation.pcc;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.PostgresGate;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Ranks among users whose reactions to an entity have the same time, the greatest id first. Those
 * that no cursor can hold are not distinguished, for an import may bring millions of one time.
 */
final class Ranks {

    private static final String RANK =
            """
            select count(*)
            from   (select from user_reaction
                    where  namespace = ? and entity = ? and reaction = ? and reacted_at = ?
                    and    user_id >= ?
                    limit  ?) r
            """;

    private static final String USER =
            """
            select coalesce(min(user_id), '')
            from   (select user_id from user_reaction
                    where  namespace = ? and entity = ? and reaction = ? and reacted_at = ?
                    order  by user_id desc
                    limit  ?) r
            """;

    private final JdbcTemplate jdbc;
    private final PostgresGate gate;

    Ranks(JdbcTemplate jdbc, PostgresGate gate) {
        this.jdbc = jdbc;
        this.gate = gate;
    }

    /** The rank of a user, from 1 on; {@link PccCursor#MOST} + 1 for all behind that. */
    long rank(EntityKey key, String reaction, long at, String user) {
        Long rank =
                gate.ask(
                        () ->
                                jdbc.queryForObject(
                                        RANK,
                                        Long.class,
                                        key.namespace(),
                                        key.entity(),
                                        reaction,
                                        at,
                                        user,
                                        PccCursor.MOST + 1));
        return rank == null ? 1 : Math.max(1, rank);
    }

    /** The user of a rank, or the last one when there are fewer; empty for none. */
    String user(EntityKey key, String reaction, long at, int rank) {
        String user =
                gate.ask(
                        () ->
                                jdbc.queryForObject(
                                        USER,
                                        String.class,
                                        key.namespace(),
                                        key.entity(),
                                        reaction,
                                        at,
                                        rank));
        return user == null ? "" : user;
    }
}
