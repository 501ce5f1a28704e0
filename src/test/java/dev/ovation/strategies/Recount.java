package dev.ovation.strategies;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.HashMap;
import java.util.Map;

import javax.sql.DataSource;

/** Counts the users of each reaction from the rows, past the service. */
final class Recount {

    private Recount() {}

    static Map<String, Long> of(
            DataSource database, Schema schema, String namespace, String entity) {
        Map<String, Long> counts = new HashMap<>();
        new JdbcTemplate(database)
                .query(
                        schema.recount(),
                        row -> {
                            counts.put(row.getString("reaction"), row.getLong("count"));
                        },
                        namespace,
                        entity);
        return counts;
    }
}
