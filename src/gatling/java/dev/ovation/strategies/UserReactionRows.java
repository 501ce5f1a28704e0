package dev.ovation.strategies;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One row for each user's reaction, counted at each read. */
abstract class UserReactionRows implements Strategy {

    private final JdbcTemplate jdbc;

    UserReactionRows(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** The table; {@code key} is its primary key, or nothing. */
    static String table(String key) {
        return """
        create table user_reaction (
            namespace_id text not null,
            entity_id    text not null,
            reaction_id  text not null,
            user_id      text not null,
            "timestamp"  bigint default extract(epoch from now())::bigint%s
        )
        """
                .formatted(key);
    }

    @Override
    public final Map<String, Long> counts(EntityKey key) {
        Map<String, Long> counts = new HashMap<>();
        jdbc.query(
                """
                select reaction_id, count(*)
                from   user_reaction
                where  namespace_id = ? and entity_id = ?
                group  by reaction_id
                """,
                row -> {
                    counts.put(row.getString(1), row.getLong(2));
                },
                key.namespace(),
                key.entity());
        return counts;
    }

    @Override
    public final List<String> own(EntityKey key, String user) {
        return jdbc.queryForList(
                """
                select distinct reaction_id
                from   user_reaction
                where  namespace_id = ? and entity_id = ? and user_id = ?
                """,
                String.class,
                key.namespace(),
                key.entity(),
                user);
    }

    @Override
    public final void add(EntityKey key, String user, String reaction) {
        jdbc.update(
                """
                insert into user_reaction (namespace_id, entity_id, reaction_id, user_id)
                values (?, ?, ?, ?)
                """,
                key.namespace(),
                key.entity(),
                reaction,
                user);
    }

    @Override
    public final boolean remove(EntityKey key, String user, String reaction) {
        int removed =
                jdbc.update(
                        """
                        delete from user_reaction
                        where  namespace_id = ? and entity_id = ? and reaction_id = ? and user_id = ?
                        """,
                        key.namespace(),
                        key.entity(),
                        reaction,
                        user);
        return removed > 0;
    }

    @Override
    public List<String> filling() {
        return List.of(
                """
                insert into user_reaction
                select namespace, entity, reaction, user_id, at / 1000000
                from   %s order by at
                """
                        .formatted(Population.TABLE));
    }

    @Override
    public final String recount() {
        return """
        select reaction_id as reaction, count(distinct user_id) as count
        from   user_reaction where namespace_id = ? and entity_id = ?
        group  by reaction_id
        """;
    }
}
