package dev.ovation.strategies;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One JSON object of counts for each entity and one array of reactions for each user and entity:
 * each half of a read is one row, and both are one statement. Pages keep free space for updates in
 * place.
 */
final class NoJoin implements Strategy {

    private static final String USERS =
            """
            create table user_reactions (
                namespace_id   text   not null,
                entity_id      text   not null,
                user_id        text   not null,
                reaction_ids   text[] not null,
                create_ts      bigint default extract(epoch from now())::bigint,
                last_update_ts bigint default extract(epoch from now())::bigint,
                primary key (namespace_id, entity_id, user_id)
            ) with (fillfactor = 97)
            """;
    private static final String COUNTS =
            """
            create table reactions_count (
                namespace_id    text  not null,
                entity_id       text  not null,
                reactions_count jsonb not null,
                primary key (namespace_id, entity_id)
            ) with (fillfactor = 93)
            """;

    private static final String SEEN =
            """
            select (select reactions_count
                    from   reactions_count
                    where  namespace_id = ? and entity_id = ?),
                   (select reaction_ids
                    from   user_reactions
                    where  namespace_id = ? and entity_id = ? and user_id = ?)
            """;

    /** Two statements in one round trip. */
    private static final String ADD =
            """
            insert into user_reactions as u (namespace_id, entity_id, user_id, reaction_ids)
            values (?, ?, ?, array[?])
            on conflict (namespace_id, entity_id, user_id) do update
            set reaction_ids = array_append(u.reaction_ids, ?), last_update_ts = ?;

            insert into reactions_count as c (namespace_id, entity_id, reactions_count)
            values (?, ?, jsonb_build_object(?::text, 1))
            on conflict (namespace_id, entity_id) do update
            set reactions_count = jsonb_set(
                    c.reactions_count, array[?],
                    to_jsonb(coalesce((c.reactions_count ->> ?)::bigint, 0) + 1))
            """;

    /** Subtracts from the count only the reactions that it removed from the user. */
    private static final String REMOVE =
            """
            with taken as (
                update user_reactions
                set    reaction_ids = array_remove(reaction_ids, ?), last_update_ts = ?
                where  namespace_id = ? and entity_id = ? and user_id = ? and ? = any (reaction_ids)
                returning 1)
            update reactions_count
            set    reactions_count = jsonb_set(
                       reactions_count, array[?], to_jsonb((reactions_count ->> ?)::bigint - 1))
            where  namespace_id = ? and entity_id = ? and exists (select from taken)
            """;

    private final JdbcTemplate jdbc;

    NoJoin(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public String name() {
        return "no-join";
    }

    @Override
    public List<String> tables() {
        return List.of(USERS, COUNTS);
    }

    @Override
    public Map<String, Long> counts(EntityKey key) {
        return JsonCounts.select(jdbc, "reactions_count", key);
    }

    @Override
    public List<String> own(EntityKey key, String user) {
        List<List<String>> rows =
                jdbc.query(
                        """
                        select reaction_ids
                        from   user_reactions
                        where  namespace_id = ? and entity_id = ? and user_id = ?
                        """,
                        (ResultSet row, int _) -> List.of((String[]) row.getArray(1).getArray()),
                        key.namespace(),
                        key.entity(),
                        user);
        return rows.isEmpty() ? List.of() : rows.getFirst();
    }

    @Override
    public Seen seen(EntityKey key, String user) {
        return jdbc.execute(
                SEEN,
                (PreparedStatementCallback<Seen>)
                        statement -> {
                            ask(statement, 1, key, user);
                            return seen(statement.executeQuery());
                        });
    }

    /** Uses one round trip; the read follows the lock, with a snapshot of its own. */
    @Override
    public Seen locked(EntityLock lock, EntityKey key, String user) {
        return jdbc.execute(
                EntityLock.TAKE + ";" + SEEN,
                (PreparedStatementCallback<Seen>)
                        statement -> {
                            statement.setString(1, EntityLock.name(key));
                            ask(statement, 2, key, user);
                            statement.execute();
                            statement.getMoreResults();
                            return seen(statement.getResultSet());
                        });
    }

    private static void ask(PreparedStatement statement, int first, EntityKey key, String user)
            throws SQLException {
        statement.setString(first, key.namespace());
        statement.setString(first + 1, key.entity());
        statement.setString(first + 2, key.namespace());
        statement.setString(first + 3, key.entity());
        statement.setString(first + 4, user);
    }

    private static Seen seen(ResultSet row) throws SQLException {
        row.next();
        var own = row.getArray(2);
        return new Seen(
                JsonCounts.of(row.getString(1)),
                own == null ? List.of() : List.of((String[]) own.getArray()));
    }

    @Override
    public void add(EntityKey key, String user, String reaction) {
        String namespace = key.namespace();
        String entity = key.entity();
        long now = Instant.now().getEpochSecond();
        jdbc.update(
                ADD, namespace, entity, user, reaction, reaction, now, namespace, entity, reaction,
                reaction, reaction);
    }

    @Override
    public boolean remove(EntityKey key, String user, String reaction) {
        String namespace = key.namespace();
        String entity = key.entity();
        long now = Instant.now().getEpochSecond();
        int changed =
                jdbc.update(
                        REMOVE, reaction, now, namespace, entity, user, reaction, reaction,
                        reaction, namespace, entity);
        return changed > 0;
    }

    @Override
    public List<String> filling() {
        return List.of(
                """
                insert into user_reactions
                select namespace, entity, user_id, array_agg(reaction order by at),
                       min(at) / 1000000, max(at) / 1000000
                from   %s
                group  by namespace, entity, user_id
                order  by min(at)
                """
                        .formatted(Population.TABLE),
                """
                insert into reactions_count
                select namespace, entity, jsonb_object_agg(reaction, number)
                from   (select namespace, entity, reaction, count(*) as number, min(at) as first
                        from   %s
                        group  by namespace, entity, reaction) as counted
                group  by namespace, entity
                order  by min(first)
                """
                        .formatted(Population.TABLE));
    }

    @Override
    public String recount() {
        return """
        select reaction, count(distinct user_id) as count
        from   user_reactions, unnest(reaction_ids) as reaction
        where  namespace_id = ? and entity_id = ?
        group  by reaction
        """;
    }
}
