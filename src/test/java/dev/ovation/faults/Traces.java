package dev.ovation.faults;

import io.lettuce.core.Range;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Occurrences of a text in all columns of all tables, and in keys of Redis. */
final class Traces {

    private final Stage stage;

    Traces(Stage stage) {
        this.stage = stage;
    }

    /** Names of tables, and of keys without partition and entity, as in {@code redis u}. */
    Set<String> of(String text) {
        var found = new TreeSet<String>();
        for (String table :
                stage.rows(
                        """
                        select table_name from information_schema.tables
                        where  table_schema = 'public' and table_type = 'BASE TABLE'
                        """)) {
            String rows = "select 1 from %s as t where position(? in t::text) > 0".formatted(table);
            if (!stage.rows(rows, text).isEmpty()) {
                found.add(table);
            }
        }
        for (String key : stage.redis().keys("*")) {
            if (key.contains(text) || value(key).contains(text)) {
                found.add("redis " + key.replaceFirst("^\\{\\d+}:(\\w+).*", "$1"));
            }
        }
        return found;
    }

    private String value(String key) {
        var redis = stage.redis();
        return switch (redis.type(key)) {
            case "hash" -> redis.hgetall(key).toString();
            case "stream" -> redis.xrange(key, Range.unbounded()).toString();
            case "string" -> "" + redis.get(key);
            case "none" -> "";
            default -> throw new AssertionError(List.of(key, redis.type(key)));
        };
    }
}
