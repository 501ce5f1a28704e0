package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.util.HashMap;
import java.util.List;
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

    /** Number of partitions with events that are not committed. */
    private static final String UNCOMMITTED =
            """
            local uncommitted = 0
            for _, meta in ipairs(redis.call('KEYS', '{*}:meta')) do
                local seq, acked = unpack(redis.call('HMGET', meta, 'seq', 'acked'))
                if seq ~= acked then uncommitted = uncommitted + 1 end
            end
            return uncommitted
            """;

    /** Keys, each followed by the digest of its content. A key that expires meanwhile has none. */
    private static final String DIGESTS =
            """
            local digests = {}
            for _, key in ipairs(redis.call('KEYS', '*')) do
                local content = redis.call('DUMP', key)
                if content then
                    digests[#digests + 1] = key
                    digests[#digests + 1] = redis.sha1hex(content)
                end
            end
            return digests
            """;

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
                || redis.<Long>eval(UNCOMMITTED, ScriptOutputType.INTEGER) > 0;
    }

    /** A digest of each table and of each key. */
    private Map<String, String> now() {
        Map<String, String> now = new HashMap<>();
        String digests =
                sql
                        .queryForList(
                                "select tablename from pg_tables where schemaname = 'public'",
                                String.class)
                        .stream()
                        .filter(table -> !MOVING.contains(table))
                        .map(Stored::digest)
                        .collect(joining(" union all "));
        sql.query(
                digests,
                row -> {
                    now.put("table " + row.getString(1), row.getString(2));
                });
        List<String> keys = redis.eval(DIGESTS, ScriptOutputType.MULTI);
        for (int i = 0; i < keys.size(); i += 2) {
            now.put(keys.get(i), keys.get(i + 1));
        }
        return now;
    }

    private static String digest(String table) {
        return "select '%s', concat(count(*), ' ', sum(hashtextextended(t::text, 0))) from %s t"
                .formatted(table, table.equals("webhook") ? WEBHOOKS : table);
    }

    @Override
    public void close() {
        connection.destroy();
        client.shutdown();
    }
}
