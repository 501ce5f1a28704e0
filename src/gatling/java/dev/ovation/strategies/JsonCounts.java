package dev.ovation.strategies;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.util.HashMap;
import java.util.Map;

/** Counts of an entity in one JSON object, as in {@code {"👍": 2}}. */
final class JsonCounts {

    private static final JsonMapper JSON = JsonMapper.shared();

    private JsonCounts() {}

    /** Reads the counts of an entity from a table or a view; counts of 0 are omitted. */
    static Map<String, Long> select(JdbcTemplate jdbc, String table, EntityKey key) {
        Map<String, Long> counts = new HashMap<>();
        jdbc.query(
                "select reactions_count from "
                        + table
                        + " where namespace_id = ? and entity_id = ?",
                row -> {
                    counts.putAll(of(row.getString(1)));
                },
                key.namespace(),
                key.entity());
        return counts;
    }

    /** Parses the object; null has no counts. */
    static Map<String, Long> of(@Nullable String json) {
        Map<String, Long> counts = new HashMap<>();
        if (json != null) {
            JSON.readTree(json)
                    .properties()
                    .forEach(each -> counts.put(each.getKey(), each.getValue().asLong()));
        }
        counts.values().removeIf(count -> count <= 0);
        return counts;
    }
}
