package dev.ovation.strategies;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;

/** Rows under an index that begins with the entity, counted at each read. */
final class RuntimeJoin extends UserReactionRows {

    /** Primary key of the table of rows, with the comma before it. */
    static final String KEY = ",\n    primary key (namespace_id, entity_id, reaction_id, user_id)";

    RuntimeJoin(JdbcTemplate jdbc) {
        super(jdbc);
    }

    @Override
    public String name() {
        return "runtime-join";
    }

    @Override
    public List<String> tables() {
        return List.of(table(KEY));
    }
}
