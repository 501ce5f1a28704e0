package dev.ovation.pcc;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.function.Supplier;

/**
 * Ranks among users whose reactions to an entity have the same time, the greatest id first. Ranks
 * beyond the cursor are not distinguished, because an import may have millions of one time.
 */
final class Ranks {

    private static final String AT_ONE_TIME =
            """
            from   entity e
            join   reaction_name x on x.name = ?
            join   user_reaction r
                   on  list_no(r.p, r.entity_no, r.reaction) = list_no(e.p, e.no, x.no) /*on r.p*/
                   and r.reacted_at = ?
            where  e.namespace = ? and e.entity = ? /*on e.p*/
            """;

    private static final String RANK =
            """
            select count(*)
            from   (select <at one time>
                    and    r.user_id >= ?
                    limit  ?) l
            """
                    .replace("<at one time>", AT_ONE_TIME);

    private static final String USER =
            """
            select coalesce(min(user_id), '')
            from   (select r.user_id <at one time>
                    order  by r.user_id desc
                    limit  ?) l
            """
                    .replace("<at one time>", AT_ONE_TIME);

    private final JdbcTemplate jdbc;
    private final PostgresBulkhead gate;
    private final Shards shards;

    Ranks(JdbcTemplate jdbc, PostgresBulkhead gate, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
        this.gate = gate;
    }

    /** Returns the rank of a user, from 1; {@link PccCursor#MOST} + 1 for all later users. */
    long rank(EntityKey key, String reaction, long at, String user) {
        Long rank =
                ask(
                        key,
                        () ->
                                jdbc.queryForObject(
                                        Narrowed.sql(RANK),
                                        Long.class,
                                        reaction,
                                        at,
                                        key.namespace(),
                                        key.entity(),
                                        user,
                                        PccCursor.MOST + 1));
        return rank == null ? 1 : Math.max(1, rank);
    }

    /** Returns the user of a rank, or the last user if there are fewer; empty for none. */
    String user(EntityKey key, String reaction, long at, int rank) {
        String user =
                ask(
                        key,
                        () ->
                                jdbc.queryForObject(
                                        Narrowed.sql(USER),
                                        String.class,
                                        reaction,
                                        at,
                                        key.namespace(),
                                        key.entity(),
                                        rank));
        return user == null ? "" : user;
    }

    private <T> @Nullable T ask(EntityKey key, Supplier<@Nullable T> question) {
        return gate.ask(() -> shards.within(key, question::get));
    }
}
