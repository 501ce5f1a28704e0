package dev.ovation.transfer;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileTimes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One export: reads stored rows, page by page in the order of a key: no row is locked and no
 * transaction stays open, however long the export takes. A row that exists from beginning to end is
 * read once; a row that is added or deleted meanwhile may be included or not.
 */
final class Exports {

    /** Entities whose sizes are read together. */
    private static final int ENTITIES = 1_000;

    /** A suffix behind every namespace: UTF-8 has no greater character. */
    private static final String END = "\udbff\udfff";

    private final Pages pages;
    private final CurrentRules rules;
    private final Shards shards;

    Exports(Pages pages, CurrentRules rules, Shards shards) {
        this.pages = pages;
        this.shards = shards;
        this.rules = rules;
    }

    /** Receives rows; the values are in the order of the kind's columns. */
    interface ExportSink {
        void row(FileKind kind, List<String> values) throws IOException;
    }

    /**
     * Reads all rows of a kind.
     *
     * @param namespace the only namespace whose reactions are exported; null for all
     * @param user the only user whose rows are exported; null for all
     */
    void read(FileKind kind, @Nullable String namespace, @Nullable String user, ExportSink to)
            throws IOException {
        switch (kind.target) {
            case REACTIONS -> {
                if (user != null) {
                    reactionsOf(user, namespace, to);
                } else {
                    reactions(namespace, to);
                }
            }
            case USERS -> users(user, to);
            case FRIENDS -> friends(user, to);
        }
    }

    /**
     * Exports reactions entity by entity; entities with few reactions are read together, each in
     * the order of its users.
     */
    private void reactions(@Nullable String namespace, ExportSink to) throws IOException {
        EntityKey last = new EntityKey(namespace == null ? "" : namespace, "");
        List<Sized> entities;
        do {
            entities = sizes(last, namespace == null ? END : namespace);
            var few = new ArrayList<EntityKey>();
            long size = 0;
            for (Sized entity : entities) {
                last = entity.key;
                if (size + entity.size > Pages.ROWS) {
                    reactionsTo(few, to);
                    few.clear();
                    size = 0;
                }
                if (entity.size > Pages.ROWS) {
                    reactionsTo(entity.key, to);
                } else if (entity.size > 0) {
                    few.add(entity.key);
                    size += entity.size;
                }
            }
            reactionsTo(few, to);
        } while (!entities.isEmpty());
    }

    /** An entity, and the approximate number of its reactions. */
    private record Sized(EntityKey key, long size) {}

    private List<Sized> sizes(EntityKey after, String lastNamespace) {
        return pages.ask(
                """
                select e.namespace, e.entity,
                       coalesce((select sum(count) from counter c
                                 where  c.p = e.p and c.entity_no = e.no), 0)::bigint
                from   entity e
                where  (e.namespace, e.entity) > (?, ?) and e.namespace <= ?
                order  by e.namespace, e.entity limit ?
                """,
                (row, _) ->
                        new Sized(
                                new EntityKey(row.getString(1), row.getString(2)), row.getLong(3)),
                after.namespace(),
                after.entity(),
                lastNamespace,
                ENTITIES);
    }

    private void reactionsTo(List<EntityKey> few, ExportSink to) throws IOException {
        if (few.isEmpty()) {
            return;
        }
        var rows = new HashMap<EntityKey, List<List<String>>>();
        shards.each(few, some -> read(some, rows));
        for (EntityKey key : few) {
            for (List<String> row : rows.getOrDefault(key, List.of())) {
                to.row(FileKind.REACTIONS, row);
            }
        }
    }

    private void read(Collection<EntityKey> few, Map<EntityKey, List<List<String>>> rows) {
        List<List<String>> found =
                pages.ask(
                        """
                        select e.namespace, e.entity, r.user_id, coalesce(r.form, x.name) as reaction,
                               r.reacted_at
                        from   unnest(?, ?) as k (namespace, entity)
                        join   entity e
                               on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
                        cross  join lateral (
                            select user_id, reaction, reacted_at, form from user_reaction
                            where  list_no(p, entity_no, reaction)
                                   between list_no(e.p, e.no, 0::smallint)
                                   and     list_no(e.p, e.no, 32767::smallint) /*on p*/
                            offset 0) r
                        join   reaction_name x on x.no = r.reaction
                        order  by 1, 2, 3, 4
                        """,
                        (row, _) -> reaction(row),
                        Columns.texts(few, EntityKey::namespace),
                        Columns.texts(few, EntityKey::entity));
        for (List<String> row : found) {
            rows.computeIfAbsent(new EntityKey(row.get(0), row.get(1)), _ -> new ArrayList<>())
                    .add(row);
        }
    }

    /**
     * Exports a high-cardinality entity, kind by kind and by time: no index has an entity's users
     * in their order.
     */
    private void reactionsTo(EntityKey crowd, ExportSink to) throws IOException {
        shards.within(
                crowd,
                () -> {
                    write(crowd, to);
                    return true;
                });
    }

    private void write(EntityKey crowd, ExportSink to) throws IOException {
        List<String> kinds =
                pages.ask(
                        """
                        select x.name
                        from   entity e
                        join   counter c on c.p = e.p /*on c.p*/ and c.entity_no = e.no
                        join   reaction_name x on x.no = c.reaction
                        where  e.namespace = ? and e.entity = ? /*on e.p*/
                        order  by x.name
                        """,
                        (row, _) -> row.getString(1),
                        crowd.namespace(),
                        crowd.entity());
        for (String kind : kinds) {
            pages.read(
                    FileKind.REACTIONS,
                    """
                    select r.reacted_at, r.user_id, l.namespace, l.entity,
                           coalesce(r.form, l.reaction) as reaction
                    from  (select e.namespace, e.entity, x.name as reaction,
                                  list_no(e.p, e.no, x.no) as no
                           from   entity e cross join reaction_name x
                           where  e.namespace = ? and e.entity = ? /*on e.p*/ and x.name = ?) l
                    cross  join lateral (
                        select reacted_at, user_id, form from user_reaction
                        where  list_no(p, entity_no, reaction) = l.no /*on p*/
                        and    (reacted_at, user_id) > (?, ?)
                        order  by reacted_at
                        fetch  first %d rows with ties) r
                    order  by 1, 2 limit ?
                    """
                            .formatted(Pages.ROWS),
                    List.of(crowd.namespace(), crowd.entity(), kind),
                    List.of(-1L, ""),
                    (row, _) -> reaction(row),
                    to);
        }
    }

    private void reactionsOf(String user, @Nullable String namespace, ExportSink to)
            throws IOException {
        String only = namespace == null ? "" : namespace;
        pages.read(
                FileKind.REACTIONS,
                shards.together(
                        """
                select e.namespace, r.reacted_at, e.entity, x.name, r.user_id,
                       coalesce(r.form, x.name) as reaction
                from   partition t
                cross  join lateral (
                    select p, entity_no, reaction, reacted_at, user_id, form from user_reaction
                    where  p = t.p and user_id = ?
                    offset 0) r
                join   entity e on e.p = r.p and e.no = r.entity_no
                join   reaction_name x on x.no = r.reaction
                where  ? in ('', e.namespace)
                and    (e.namespace, r.reacted_at, e.entity, x.name) > (?, ?, ?, ?)
                order  by 1, 2, 3, 4 limit ?
                """),
                List.of(user, only),
                List.of("", -1L, "", ""),
                (row, _) -> reaction(row),
                to);
    }

    private List<String> reaction(ResultSet row) throws SQLException {
        return List.of(
                row.getString("namespace"),
                row.getString("entity"),
                row.getString("user_id"),
                rules.current().spelling(row.getString("reaction")),
                FileTimes.text(row.getLong("reacted_at")));
    }

    private void users(@Nullable String user, ExportSink to) throws IOException {
        pages.read(
                FileKind.USERS,
                """
                select user_id, coalesce(display_name, ''), coalesce(avatar_url, '')
                from   user_profile
                where  ? in ('', user_id) and user_id > ?
                order  by 1 limit ?
                """,
                List.of(user == null ? "" : user),
                List.of(""),
                (row, _) -> List.of(row.getString(1), row.getString(2), row.getString(3)),
                to);
    }

    /** Exports one direction of all friendships; for one user, the direction from that user. */
    private void friends(@Nullable String user, ExportSink to) throws IOException {
        if (user != null) {
            pages.read(
                    FileKind.FRIENDS,
                    """
                    select friend_id from friendship
                    where  user_id = ? and friend_id > ?
                    order  by 1 limit ?
                    """,
                    List.of(user),
                    List.of(""),
                    (row, _) -> List.of(user, row.getString(1)),
                    to);
        } else {
            pages.read(
                    FileKind.FRIENDS,
                    """
                    select user_id, friend_id from friendship
                    where  user_id < friend_id and (user_id, friend_id) > (?, ?)
                    order  by 1, 2 limit ?
                    """,
                    List.of(),
                    List.of("", ""),
                    (row, _) -> List.of(row.getString(1), row.getString(2)),
                    to);
        }
    }
}
