package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The data of a service in Redis, with the outboxes, and in Postgres. */
public final class Stored implements AutoCloseable {

    /** Tables that a service writes without a request; rows of an import go after its job. */
    private static final Set<String> MOVING =
            Set.of(
                    "audit_walk",
                    "background",
                    "changed_entity",
                    "deployment",
                    "epoch",
                    "flyway_schema_history",
                    "import_row",
                    "partition",
                    "ranking",
                    "ranking_list",
                    "ranking_refill",
                    "ranking_state",
                    "ranking_waiting",
                    "replica_beat");

    /** What clients set; the rest moves with each attempt. */
    private static final String WEBHOOKS =
            "(select webhook_id, url, namespaces, kinds, milestones, secret from webhook)";

    private final SingleConnectionDataSource connection;
    private final JdbcTemplate sql;
    private final RedisClient client;
    private final RedisCommands<String, String> redis;

    public Stored(String jdbcUrl, String redisUri) {
        connection = new SingleConnectionDataSource(jdbcUrl, "postgres", "postgres", true);
        sql = new JdbcTemplate(connection);
        client = RedisClient.create(redisUri);
        redis = client.connect().sync();
    }

    /** The data after all events are committed and all jobs have ended. */
    public Map<String, String> settled() {
        return Wait.until(
                "all events are committed, all jobs have ended",
                () -> {
                    Map<String, String> before = isBusy() ? null : now();
                    return before != null && before.equals(now()) ? before : null;
                },
                Objects::nonNull);
    }

    /**
     * Asserts that there was no write since; keys of Redis may have expired.
     *
     * @param before from {@link #settled}
     */
    public void assertNothingWritten(Map<String, String> before) {
        var written = new TreeMap<>(now());
        written.entrySet().removeIf(each -> each.getValue().equals(before.get(each.getKey())));
        assertThat(written.keySet()).as("keys and tables that were written").isEmpty();
    }

    private boolean isBusy() {
        String unfinished =
                "select count(*) from job where state in ('waiting', 'running') and ready";
        return sql.queryForObject(unfinished, Long.class) > 0
                || redis.keys("{*}:meta").stream().anyMatch(this::isUncommitted);
    }

    private boolean isUncommitted(String meta) {
        return !Objects.equals(redis.hget(meta, "seq"), redis.hget(meta, "acked"));
    }

    /** A digest of each table, and the content of each key. */
    private Map<String, String> now() {
        Map<String, String> now = new HashMap<>();
        for (String table :
                sql.queryForList(
                        "select tablename from pg_tables where schemaname = 'public'",
                        String.class)) {
            if (!MOVING.contains(table)) {
                String digest =
                        "select concat(count(*), ' ', sum(hashtextextended(t::text, 0))) from %s t";
                String rows = table.equals("webhook") ? WEBHOOKS : table;
                now.put("table " + table, sql.queryForObject(digest.formatted(rows), String.class));
            }
        }
        for (String key : redis.keys("*")) {
            byte[] content = redis.dump(key);
            if (content != null) {
                now.put(key, Base64.getEncoder().encodeToString(content));
            }
        }
        return now;
    }

    @Override
    public void close() {
        connection.destroy();
        client.shutdown();
    }
}
