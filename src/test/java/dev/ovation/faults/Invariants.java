package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.RedisSchema;

import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Compares the hot hashes with the tables, field by field, while nobody writes. */
public final class Invariants {

    static final String COUNTS_UNEQUAL_ROWS =
            """
            select namespace, entity, reaction, count, n
            from   counter
            full   join (select namespace, entity, reaction, count(*) as n
                         from   user_reaction group by 1, 2, 3) r
                   using (namespace, entity, reaction)
            where  count is distinct from n
            """;

    static final String EXCLUSIVE_TOGETHER =
            """
            select namespace, entity, user_id from user_reaction
            where  namespace = '%s' and reaction in ('👍', '👎')
            group  by 1, 2, 3 having count(*) > 1
            """
                    .formatted(Stage.POSTS);

    static final String TOO_MANY_KINDS =
            """
            select namespace, entity from counter where namespace = '%s'
            group  by 1, 2 having count(*) > %d
            """
                    .formatted(Stage.POSTS, Stage.POSTS_LIMIT);

    private final JdbcTemplate sql;
    private final RedisCommands<String, String> redis;

    public Invariants(JdbcTemplate sql, RedisCommands<String, String> redis) {
        this.sql = sql;
        this.redis = redis;
    }

    public void assertRedisEqualsPostgres() {
        for (String key : redis.keys("{*}:[cu]:*")) {
            Map<String, String> hash = redis.hgetall(key);
            if (hash.isEmpty() || !hash.get("epoch").equals(epoch(key))) {
                continue; // evicted meanwhile, or left over from an older epoch: nobody reads it
            }
            assertThat(redis.pttl(key)).as("time to live of %s, which is clean", key).isPositive();
            if (key.contains("}:c:")) {
                assertCounts(key, hash);
            } else {
                assertUsers(key, hash);
            }
        }
    }

    private void assertCounts(String key, Map<String, String> hash) {
        var hot = new TreeMap<String, String>();
        hash.forEach(
                (field, value) -> {
                    if (field.startsWith("r:")) {
                        hot.put(field.substring(2), value);
                    }
                });
        var stored = new TreeMap<String, String>();
        sql.query(
                """
                select reaction, count, first_at, last_at from counter
                where  namespace = ? and entity = ?
                """,
                row -> {
                    stored.put(
                            row.getString(1),
                            String.join(
                                    RedisSchema.SEPARATOR,
                                    row.getString(2),
                                    row.getString(3),
                                    row.getString(4)));
                },
                entity(key));
        assertThat(hot).as(key).isEqualTo(stored);
        var head =
                sql.queryForList(
                        "select version || ' ' || last_op from entity where namespace = ? and entity = ?",
                        String.class,
                        entity(key));
        assertThat(List.of(hash.get("version") + ' ' + hash.get("op")))
                .as("head of %s", key)
                .isEqualTo(head.isEmpty() ? List.of("0 ") : head);
    }

    private void assertUsers(String key, Map<String, String> hash) {
        var stored = new TreeMap<String, Set<String>>();
        sql.query(
                "select user_id, reaction from user_reaction where namespace = ? and entity = ?",
                row -> {
                    stored.computeIfAbsent(row.getString(1), _ -> new HashSet<>())
                            .add(row.getString(2));
                },
                entity(key));
        hash.forEach(
                (field, value) -> {
                    if (field.startsWith("u:")) {
                        var reactions = new ArrayList<>(RedisSchema.split(value));
                        reactions.removeFirst();
                        reactions.removeIf(String::isEmpty);
                        assertThat(reactions)
                                .as("%s %s", key, field)
                                .containsExactlyInAnyOrderElementsOf(
                                        stored.getOrDefault(field.substring(2), Set.of()));
                    }
                });
        if (hash.get("complete").equals("1")) {
            assertThat(hash.keySet())
                    .as(key)
                    .containsAll(stored.keySet().stream().map(user -> "u:" + user).toList());
        }
    }

    private String epoch(String key) {
        String p = key.substring(1, key.indexOf('}'));
        return sql.queryForObject(
                "select epoch::text from partition where p = ?::int", String.class, p);
    }

    private static Object[] entity(String key) {
        String[] parts = key.split(":", 4);
        return new Object[] {parts[2], parts[3]};
    }
}
