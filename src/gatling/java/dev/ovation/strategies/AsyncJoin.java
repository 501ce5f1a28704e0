package dev.ovation.strategies;

import dev.ovation.entity.EntityKey;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows under an index, and a materialized view of their counts, which readers use. Constraints and
 * a user's own reactions use the rows.
 */
final class AsyncJoin extends UserReactionRows {

    private static final String VIEW =
            """
            create materialized view entity_reactions as
            select namespace_id, entity_id, jsonb_object_agg(reaction_id, number) as reactions_count
            from   (select namespace_id, entity_id, reaction_id, count(*) as number
                    from   user_reaction
                    group  by namespace_id, entity_id, reaction_id) as counted
            group  by namespace_id, entity_id
            """;

    private final JdbcTemplate jdbc;
    private final Staleness staleness;

    AsyncJoin(JdbcTemplate jdbc, Staleness staleness) {
        super(jdbc);
        this.jdbc = jdbc;
        this.staleness = staleness;
    }

    @Override
    public String name() {
        return "async-join";
    }

    /** A view can be refreshed during reads only with a unique index over plain columns. */
    @Override
    public List<String> tables() {
        return List.of(
                table(RuntimeJoin.KEY),
                VIEW,
                "create unique index entity_reactions_key on entity_reactions (namespace_id, entity_id)");
    }

    @Override
    public List<String> filling() {
        var statements = new ArrayList<>(super.filling());
        statements.add("refresh materialized view entity_reactions");
        return statements;
    }

    @Override
    public Map<String, Long> shown(EntityKey key) {
        staleness.served();
        return JsonCounts.select(jdbc, "entity_reactions", key);
    }

    /** Makes the committed counts visible to readers. */
    void refresh() {
        staleness.refreshing(
                () -> jdbc.execute("refresh materialized view concurrently entity_reactions"));
    }
}
