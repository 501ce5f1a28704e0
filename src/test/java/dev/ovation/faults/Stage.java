package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Citus;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.RedisSession;
import dev.ovation.testing.ReusedConnections;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisClient;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;

import org.postgresql.PGConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Redis and a database for one test, the instances on them, and the invariants between both. */
public final class Stage implements AutoCloseable {

    /** Namespace with at most four distinct reactions, in which 👍 and 👎 exclude each other. */
    public static final String POSTS = "posts";

    /** Namespace without restrictions. */
    public static final String NOTES = "notes";

    public static final int POSTS_LIMIT = 4;

    /** Locks the counters of an entity, and no other rows of it. */
    public static final String LOCK_COUNTERS =
            """
            select 1 from counter c join entity e on e.p = c.p and e.no = c.entity_no
            where  e.entity = '%s' for update of c
            """;

    private static final String BLOCKED_BY =
            """
            select pid from pg_stat_activity
            where  ? = any (pg_blocking_pids(pid)) and wait_event_type = 'Lock'
            """;

    private static final String WAITING =
            """
            select pid from pg_stat_activity
            where  query = ? and wait_event_type = 'Lock' and datname = current_database()
            """;

    /** The sessions of the database: process, state, those it waits for, and its statement. */
    private static final String SESSIONS =
            """
            select pid, state, wait_event_type, wait_event, pg_blocking_pids(pid), left(query, 300)
            from   pg_stat_activity where datname = current_database() and state <> 'idle'
            """;

    public static final List<String> REACTIONS = List.of("👍", "👎", "❤️", "🔥", "🎉", "😂");
    public static final Path CONFIG = configuration();

    private static final String IDLE =
            "spring.datasource.hikari.data-source-properties.options="
                    + "-c idle_in_transaction_session_timeout=";

    /** The locks of an instance that is paused within a transaction end, as those of a service. */
    public static final String LOCKS_END = IDLE + "2s";

    /**
     * Settings for tests in which slowness must not count as being stuck: a server, or this JVM,
     * may hang for some seconds. Such tests do not check these bounds.
     */
    public static final String[] PATIENT = {
        "ovation.internal.relay.stuck-after=60s",
        "ovation.requests.deadline=60s",
        "ovation.internal.requests.attach=30s",
        "ovation.internal.configuration.publishing=60s",
        "ovation.internal.configuration.exact-counts=60s",
        "spring.datasource.hikari.connection-timeout=10000", // some tests wait for it
        "spring.datasource.hikari.connection-init-sql=select 1", // no transaction_timeout
        "spring.datasource.hikari.data-source-properties.connectTimeout=10",
        "spring.datasource.hikari.data-source-properties.loginTimeout=10",
        "spring.datasource.hikari.data-source-properties.socketTimeout=60",
        IDLE + "60s",
        "ovation.internal.hot.command-timeout=10s",
        "ovation.internal.postgres.max-wait=10s",
        "ovation.internal.loads.max-wait=10s",
        "ovation.internal.http.max-header-time=60s",
        "ovation.internal.http.body-grace=60s",
    };

    /** {@link #PATIENT}, with the time-outs of the service for Postgres, which hangs. */
    public static final String[] PATIENT_WITH_REDIS =
            settings(
                    PATIENT,
                    "ovation.internal.requests.attach=10s",
                    "spring.datasource.hikari.connection-timeout=2000",
                    transactionTimeout("3s"),
                    "spring.datasource.hikari.data-source-properties.connectTimeout=2",
                    "spring.datasource.hikari.data-source-properties.loginTimeout=2",
                    "spring.datasource.hikari.data-source-properties.socketTimeout=4",
                    LOCKS_END);

    /** A setting that bounds transactions, as that of the service, on Postgres 17 and newer. */
    public static String transactionTimeout(String time) {
        return """
                spring.datasource.hikari.connection-init-sql=\
                select set_config('transaction_timeout', '%s', false)
                where current_setting('server_version_num')::int >= 170000
                """
                .formatted(time);
    }

    public final RedisProcess redisProcess;
    public final String url;
    public final JdbcTemplate sql;
    private final TransactionTemplate snapshot;
    private final ReusedConnections connections;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private TcpProxy proxy;
    private RedisSession session;
    private RedisClient client;
    private RedisCommands<String, String> redis;

    private Stage(String url, RedisProcess redisProcess) {
        this.url = url;
        this.redisProcess = redisProcess;
        String address = Citus.IS_GIVEN ? url + "?options=" + Citus.SNAPSHOTS : url;
        this.connections =
                new ReusedConnections(new DriverManagerDataSource(address, "postgres", "postgres"));
        this.sql = new JdbcTemplate(connections);
        this.snapshot = new TransactionTemplate(new JdbcTransactionManager(connections));
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    }

    /** Opens a stage; {@code options} as on the command line of Redis. */
    public static Stage open(String... options) {
        return new Stage(TestPostgres.url(), RedisProcess.start(options));
    }

    /** Opens a stage with a new database on a Postgres that the test may stop, kill and rewind. */
    public static Stage openOn(PostgresProcess postgres, String... options) {
        return new Stage(postgres.newDatabase(), RedisProcess.start(options));
    }

    /**
     * Opens a stage with the same database and another Redis; {@code options} as on its command
     * line.
     */
    public Stage beside(String... options) {
        return new Stage(url, RedisProcess.start(options));
    }

    /** Starts an instance and waits until it accepts writes. */
    public Instance start(String... settings) {
        return launch(settings).attached();
    }

    /** Starts an instance, whose servers may be down. */
    public Instance launch(String... settings) {
        return launchBy(url, settings);
    }

    /** Starts an instance that reaches Postgres through {@link #proxy}. */
    public Instance launchBehindProxy(String... settings) {
        return launchBy(proxy().through(url), settings);
    }

    private Instance launchBy(String jdbcUrl, String... settings) {
        var instance = Instance.start(jdbcUrl, redisProcess.uri(), CONFIG, settings);
        instances.add(instance);
        return instance;
    }

    /** The proxy before Postgres. */
    public TcpProxy proxy() {
        if (proxy == null) {
            proxy = TcpProxy.before(url);
        }
        return proxy;
    }

    /** Commands to Redis, past the service. */
    public synchronized RedisCommands<String, String> redis() {
        if (redis == null) {
            session = redisProcess.session();
            redis = session.commands();
        }
        return redis;
    }

    /** Rows that this test has locked, until it closes this. */
    public static final class Hold implements AutoCloseable {
        private final Connection connection;
        private final int pid;

        private Hold(Connection connection) throws SQLException {
            this.connection = connection;
            this.pid = connection.unwrap(PGConnection.class).getBackendPID();
        }

        public void execute(String statement) {
            try (var locking = connection.createStatement()) {
                locking.execute(statement);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            release();
        }

        /** Commits the statements and releases the rows. */
        public void release() {
            try {
                if (!connection.isClosed()) {
                    connection.commit();
                    connection.close();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Locks the partition rows against every relay until the hold is closed. */
    public Hold holdRelays() {
        return hold(
                Citus.IS_GIVEN
                        ? String.join(
                                ";",
                                rows(
                                        """
                                        select format('select from partition where p = %s for update', p)
                                        from   partition order by p
                                        """))
                        : "select 1 from partition for update");
    }

    /**
     * Blocks all readers of a table until the hold is closed. The ranking reads every second and
     * would be one of {@link #blocked}; it is disabled from its next turn.
     */
    Hold holdReaders(String table) {
        return hold(
                "select 1 from ranking_state for update; lock table %s in access exclusive mode"
                        .formatted(table));
    }

    /** Runs a statement that locks rows; they stay locked until the hold is closed. */
    public Hold hold(String statement) {
        try {
            Connection connection = DriverManager.getConnection(url, "postgres", "postgres");
            connection.setAutoCommit(false);
            var hold = new Hold(connection);
            holds.add(hold);
            hold.execute(statement);
            return hold;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the number of committed changes. */
    public long changes() {
        return sql.queryForObject(
                "select coalesce(sum(version), 0)::bigint from entity", Long.class);
    }

    /** Returns the number of events that are proposed in Redis and not applied in Postgres. */
    public long unapplied() {
        long unapplied = 0;
        for (var row : sql.queryForList("select p, epoch, applied_seq from partition")) {
            var meta = redis().hgetall("{" + row.get("p") + "}:meta");
            if (meta.getOrDefault("epoch", "").equals("" + row.get("epoch"))) {
                unapplied += Long.parseLong(meta.get("seq")) - (Long) row.get("applied_seq");
            }
        }
        return unapplied;
    }

    /**
     * Returns the number of sessions that wait for a lock, apart from those of background work:
     * instances on one database wait for each other's turn at any time.
     */
    public int blocked() {
        return rows("""
                select pid from pg_stat_activity
                where  wait_event_type = 'Lock' and datname = current_database()
                and    query not like '%background%'
                """)
                .size();
    }

    /**
     * Waits until a session waits for the rows of a hold. A failure quotes what all sessions do.
     */
    public void awaitBlockedBy(Hold hold) {
        Wait.until(
                "a session waits for the locked rows",
                () -> rows(SESSIONS),
                _ -> !rows(BLOCKED_BY, hold.pid).isEmpty());
    }

    /** Waits until a session that runs this statement waits for a lock. */
    public void awaitWaiting(String statement) {
        Wait.until(
                "waits for a lock: " + statement,
                () -> rows(SESSIONS),
                _ -> !rows(WAITING, statement).isEmpty());
    }

    /**
     * Collects, from now on, the entities that are installed in Redis or become clean, in order.
     */
    List<String> watchInstalls() {
        var seen = new CopyOnWriteArrayList<String>();
        redis().configSet("notify-keyspace-events", "Eg");
        client = RedisClient.create(redisProcess.uri());
        var events = client.connectPubSub();
        events.addListener(
                new RedisPubSubAdapter<>() {
                    @Override
                    public void message(String channel, String key) {
                        if (key.contains("}:c:")) {
                            seen.add(key.replaceFirst(".*:", ""));
                        }
                    }
                });
        events.sync().subscribe("__keyevent@0__:expire");
        return seen;
    }

    /** All data in Redis, byte for byte. */
    Map<String, String> everythingInRedis() {
        var all = new TreeMap<String, String>();
        for (String key : redis().keys("*")) {
            all.put(key, Arrays.toString(redis().dump(key)));
        }
        return all;
    }

    /** Waits until an entity has this many changes in Redis, committed or not. */
    public void awaitProposed(String namespace, String entity, int changes) {
        Wait.until(
                changes + " changes of " + entity,
                () -> ("" + changes).equals(mark(namespace, entity, "version")));
    }

    /** Returns the last event of an entity in Redis, which may have changed nothing. */
    public String seq(String namespace, String entity) {
        return mark(namespace, entity, "seq");
    }

    private String mark(String namespace, String entity, String name) {
        return redis().hget(
                        RedisSchema.counts(partition(namespace, entity), key(namespace, entity)),
                        name);
    }

    /** The entry of an outbox for an event with these members. */
    public static Map<String, String> entry(Map<String, String> members) {
        return Map.of(
                Event.FIELD,
                members.entrySet().stream()
                        .map(member -> member.getKey() + RedisSchema.PART + member.getValue())
                        .collect(Collectors.joining(RedisSchema.PART)));
    }

    /**
     * Proposes an event that the service would not propose, for a user without reactions. The event
     * is appended to the outbox and becomes the base of the next change of this entity.
     */
    public void propose(String namespace, String entity, String user, String reaction) {
        propose("1", namespace, entity, user, reaction);
    }

    /** Proposes an event in another schema version. */
    public void propose(
            String form, String namespace, String entity, String user, String reaction) {
        int p = partition(namespace, entity);
        String counts = RedisSchema.counts(p, key(namespace, entity));
        String users = RedisSchema.users(p, key(namespace, entity));
        Map<String, String> marks = redis().hgetall(counts);
        Map<String, String> meta = redis().hgetall(RedisSchema.meta(p));
        long seq = Long.parseLong(meta.get("seq")) + 1;
        long version = Long.parseLong(marks.get("version")) + 1;
        long at = Long.parseLong(marks.get("at")) + 1;
        String before = redis().hget(users, "u:" + user);
        boolean comes = before == null || !before.contains(RedisSchema.SEPARATOR);
        long people = Long.parseLong(marks.get("people")) + (comes ? 1 : 0);
        String op = "foreign-" + seq;
        String times = RedisSchema.SEPARATOR + at + RedisSchema.SEPARATOR + at;
        var event = new LinkedHashMap<String, String>();
        event.put("s", form);
        event.put("op", op);
        event.put("base", marks.get("op"));
        event.put("n", namespace);
        event.put("e", entity);
        event.put("u", user);
        event.put("add", reaction);
        event.put("rem", "");
        event.put("bv", marks.get("version"));
        event.put("v", "" + version);
        event.put("cnt", reaction + RedisSchema.SEPARATOR + 1 + times);
        event.put("at", "" + at);
        event.put("cfg", "1");
        redis().multi();
        redis().xadd(
                        RedisSchema.outbox(p),
                        new XAddArgs().id(meta.get("epoch") + "-" + seq),
                        entry(event));
        redis().hset(RedisSchema.meta(p), "seq", "" + seq);
        redis().hset(counts, "r:" + reaction, 1 + times);
        redis().hset(
                        counts,
                        Map.of(
                                "version", "" + version,
                                "op", op,
                                "seq", "" + seq,
                                "at", "" + at,
                                "people", "" + people));
        redis().hset(users, "u:" + user, seq + RedisSchema.SEPARATOR + reaction);
        redis().persist(counts);
        redis().persist(users);
        redis().exec();
    }

    /** Removes an entity from Redis when it is clean. */
    public void evict(String entity) {
        awaitDrained();
        redis().keys("{*}:[cu]:*:" + entity).forEach(key -> redis().unlink(key));
    }

    /** Waits until each proposed event is applied, and each applied event is acknowledged. */
    public void awaitDrained() {
        Wait.until(
                "all outboxes are drained",
                () ->
                        sql
                                .queryForList("select p, epoch, applied_seq as n from partition")
                                .stream()
                                .allMatch(
                                        row -> {
                                            var meta =
                                                    redis().hgetall(
                                                                    "{%s}:meta"
                                                                            .formatted(
                                                                                    row.get("p")));
                                            String n = "" + row.get("n");
                                            return ("" + row.get("epoch")).equals(meta.get("epoch"))
                                                    && n.equals(meta.get("seq"))
                                                    && n.equals(meta.get("acked"));
                                        }));
    }

    /** Asserts the invariants that hold without concurrent writes. */
    public void assertSound() {
        awaitDrained();
        assertThat(rows(Invariants.COUNTS_UNEQUAL_ROWS)).as("counts equal rows").isEmpty();
        assertThat(rows(Invariants.EXCLUSIVE_TOGETHER)).as("exclusive reactions").isEmpty();
        assertThat(rows(Invariants.TOO_MANY_KINDS)).as("kinds of reactions").isEmpty();
        new Invariants(sql, redis()).assertRedisEqualsPostgres();
    }

    /** Rows of one snapshot, as text, one each, columns separated by a space. */
    public List<String> rows(String query, Object... arguments) {
        return Citus.IS_GIVEN
                ? snapshot.execute(_ -> read(query, arguments))
                : read(query, arguments);
    }

    private List<String> read(String query, Object... arguments) {
        return sql.query(
                query,
                (row, _) -> {
                    var text = new StringBuilder();
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        text.append(i == 1 ? "" : " ").append(row.getString(i));
                    }
                    return text.toString();
                },
                arguments);
    }

    /** A user's reactions on an entity in Postgres. */
    public List<String> stored(String namespace, String entity, String user) {
        return rows(
                """
                select reaction from named_reaction
                where  namespace = ? and entity = ? and user_id = ? order by reacted_at
                """,
                namespace,
                entity,
                user);
    }

    public static EntityKey key(String namespace, String entity) {
        return new EntityKey(namespace, entity);
    }

    public static int partition(String namespace, String entity) {
        return new Partitions(64).of(key(namespace, entity));
    }

    /** Another entity of the same namespace and partition. */
    public static String neighbour(String namespace, String entity) {
        int p = partition(namespace, entity);
        return IntStream.range(0, 10_000)
                .mapToObj(n -> "neighbour-" + n)
                .filter(name -> partition(namespace, name) == p)
                .findFirst()
                .orElseThrow();
    }

    /** As {@link Patience#settings}. */
    public static String[] settings(String[] some, String... more) {
        return Patience.settings(some, more);
    }

    /** The value of a metric of an instance, the first with such a label. */
    public long metric(Instance instance, String name, String label) {
        return instance.get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name) && line.contains(label))
                .mapToLong(line -> (long) Double.parseDouble(line.replaceFirst(".* ", "")))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Waits until a relay cycle that begins from now on has read the outbox: of two calls that are
     * tried from now on, the second belongs to one. Only a held partition may have events.
     */
    public static void awaitCycle(Instance service) {
        String calls = "ovation_relay_calls_total";
        long before = total(service, calls);
        Wait.until("two calls of relays", () -> total(service, calls) >= before + 2);
    }

    /** The sum of a metric of an instance over all lines with these labels; 0 if there is none. */
    public static long total(Instance instance, String name, String... labels) {
        return instance.get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Arrays.stream(labels).allMatch(line::contains))
                .mapToLong(line -> (long) Double.parseDouble(line.replaceFirst(".* ", "")))
                .sum();
    }

    /** The counts in an answer. */
    public static Map<String, Long> counts(Answer answer) {
        var counts = new TreeMap<String, Long>();
        answer.json()
                .at("/reactions_count")
                .valueStream()
                .forEach(
                        one ->
                                counts.put(
                                        one.at("/reaction_id").asString(),
                                        one.at("/count").asLong()));
        return counts;
    }

    /** The viewer's own reactions in an answer. */
    public static List<String> own(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json()
                .at("/user_reactions/reactions")
                .valueStream()
                .map(node -> node.asString())
                .toList();
    }

    /** Runs an action in parallel with the test. */
    public static <T> CompletableFuture<T> meanwhile(Callable<T> something) {
        var result = new CompletableFuture<T>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(something.call());
                            } catch (Throwable e) {
                                result.completeExceptionally(e);
                            }
                        });
        return result;
    }

    /** The committed count of a reaction; 0 if there is none. */
    public long count(String namespace, String entity, String reaction) {
        return rows(
                        """
                        select count from named_counter
                        where  namespace = ? and entity = ? and reaction = ?
                        """,
                        namespace,
                        entity,
                        reaction)
                .stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    /** Releases all locked rows. */
    public void release() {
        holds.forEach(Hold::close);
    }

    /** Closes all resources, also if one of them fails to close; throws the first failure. */
    @Override
    public void close() {
        var all = new ArrayList<Runnable>();
        holds.forEach(hold -> all.add(hold::close));
        instances.forEach(instance -> all.add(instance::close));
        if (proxy != null) {
            all.add(proxy::close);
        }
        if (session != null) {
            all.add(session::close);
        }
        if (client != null) {
            all.add(client::shutdown);
        }
        all.add(connections::close);
        all.add(redisProcess::close);
        Throwable failure = null;
        for (Runnable one : all) {
            try {
                one.run();
            } catch (RuntimeException | Error e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }

    /** The rules of the stage as one document, with a further namespace that has this limit. */
    public static String rulesWith(String namespace, int limit) {
        return "reactions:\n%sreaction_sets:\n%snamespaces:\n%s- {id: %s, reaction_set_id: all, max_uniq_reactions: %d}\n"
                .formatted(
                        file("reactions"),
                        file("reaction_sets"),
                        file("namespaces"),
                        namespace,
                        limit);
    }

    private static String file(String name) {
        try {
            return Files.readString(CONFIG.resolve(name + ".yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path configuration() {
        try {
            Path folder = Files.createTempDirectory("ovation-config");
            var reactions = new StringBuilder();
            REACTIONS.forEach(
                    id ->
                            reactions.append(
                                    "- {id: %s, type: unicode, code: %s}\n".formatted(id, id)));
            Files.writeString(folder.resolve("reactions.yaml"), reactions);
            Files.writeString(
                    folder.resolve("reaction_sets.yaml"),
                    "- {id: all, reaction_ids: %s}\n".formatted(REACTIONS));
            Files.writeString(
                    folder.resolve("namespaces.yaml"),
                    """
                    - id: %s
                      reaction_set_id: all
                      max_uniq_reactions: %d
                      mutually_exclusive_reactions: [[👍, 👎]]
                    - {id: %s, reaction_set_id: all, max_uniq_reactions: 6}
                    """
                            .formatted(POSTS, POSTS_LIMIT, NOTES));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
