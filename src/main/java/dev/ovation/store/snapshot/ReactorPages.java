package dev.ovation.store.snapshot;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.List;

/** Reads the committed reactors of an entity by pages. */
@Repository
public class ReactorPages {

    private final JdbcTemplate jdbc;
    private final Shards shards;

    /** Creates a reader of these shards. */
    public ReactorPages(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /**
     * Place in the order of an entity's reactions; several may share one.
     *
     * @param list the {@code list_no} of the entity's kind of reaction
     * @param at microseconds since 1970
     */
    public record RowPosition(long list, long at) {

        /** Before the first reaction of any entity. */
        public static final RowPosition START = new RowPosition(0, Long.MIN_VALUE);
    }

    /** A user's reaction and its position. */
    public record ReactorRow(String user, RowPosition position) {}

    /**
     * Reads a page of the users who have a reaction on an entity, once for each reaction, ordered
     * by position.
     *
     * @param from the first position to read
     * @param limit most reactions to read; a shorter page is the last
     */
    public List<ReactorRow> page(EntityKey key, RowPosition from, int limit) {
        return shards.within(key, () -> read(key, from, limit));
    }

    private List<ReactorRow> read(EntityKey key, RowPosition from, int limit) {
        return jdbc.query(
                Narrowed.sql(
                        """
                        select r.*
                        from   entity e
                        cross  join lateral (
                            select user_id, list_no(p, entity_no, reaction) as list, reacted_at
                            from   user_reaction
                            where  list_no(p, entity_no, reaction)
                                   between list_no(e.p, e.no, 0::smallint)
                                   and     list_no(e.p, e.no, 32767::smallint) /*on p*/
                            and    (list_no(p, entity_no, reaction), reacted_at) >= (?, ?)
                            order  by list_no(p, entity_no, reaction), reacted_at
                            limit  ?) r
                        where  e.namespace = ? and e.entity = ? /*on e.p*/
                        order  by r.list, r.reacted_at
                        """),
                (row, _) ->
                        new ReactorRow(
                                row.getString(1), new RowPosition(row.getLong(2), row.getLong(3))),
                from.list(),
                from.at(),
                limit,
                key.namespace(),
                key.entity());
    }
}
