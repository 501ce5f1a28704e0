package dev.ovation.model;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.model.ReferenceModel.Entity;
import dev.ovation.model.ReferenceModel.EntityId;
import dev.ovation.model.ReferenceModel.Row;
import dev.ovation.model.ReferenceModel.Times;
import dev.ovation.testing.Wait;

import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares the final data of Postgres and Redis with the model. */
final class StoredState {

    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private final JdbcClient postgres;
    private final RedisCommands<String, String> redis;
    private final Partitions partitions;
    private final List<String> faults = new ArrayList<>();

    StoredState(JdbcClient postgres, RedisCommands<String, String> redis, Partitions partitions) {
        this.postgres = postgres;
        this.redis = redis;
        this.partitions = partitions;
    }

    /** A counter as stored, in either place. */
    private record Stored(String reaction, long count, long first, long last) {}

    /** Returns the differences. */
    List<String> faults(String run, ReferenceModel model, Bindings bindings) {
        model.entities.forEach((id, entity) -> judge(id, entity, bindings));
        expect("kept answers", (long) model.keptAnswers(), keptAnswers(run));
        expect("rejected events", 0L, count("select count(*) from rejected_event"));
        return faults;
    }

    private long keptAnswers(String run) {
        return postgres.sql("select count(*) from idempotency where starts_with(key, ?)")
                .param(run)
                .query(Long.class)
                .single();
    }

    private long count(String sql) {
        return postgres.sql(sql).query(Long.class).single();
    }

    private void judge(EntityId id, Entity expected, Bindings bindings) {
        Comparator<Row> byBytes =
                Comparator.comparing(
                        row -> row.reaction().getBytes(StandardCharsets.UTF_8),
                        Arrays::compareUnsigned);
        String where = " where namespace = ? and entity = ?";
        List<Row> rows =
                ask(
                                id,
                                """
                                select r.user_id, x.name, r.reacted_at, coalesce(r.form, x.name)
                                from   entity e
                                join   user_reaction r on r.p = e.p and r.entity_no = e.no
                                join   reaction_name x on x.no = r.reaction
                                """
                                        + where)
                        .query(
                                (r, _) ->
                                        new Row(
                                                r.getString(1),
                                                r.getString(2),
                                                r.getLong(3),
                                                r.getString(4)))
                        .list()
                        .stream()
                        .sorted(Comparator.comparingLong(Row::at).thenComparing(byBytes))
                        .toList();
        List<Stored> counters =
                ask(
                                id,
                                "select reaction, count, first_at as first, last_at as last from named_counter"
                                        + where)
                        .query(Stored.class)
                        .list();
        Map<String, Object> row =
                ask(id, "select version, last_op, last_at, people from entity" + where)
                        .query()
                        .singleRow();
        var times = new TreeMap<Long, Long>();
        expect("version of " + id, expected.changes(), row.get("version"));
        expect("rows of " + id, rowNames(expected.rows()), rowNames(rows));
        long people = expected.rows().stream().map(Row::user).distinct().count();
        expect("people of " + id, people, ((Number) row.get("people")).longValue());
        Map<String, Long> counts =
                expected.kinds().stream()
                        .collect(Collectors.toMap(Function.identity(), expected::count));
        Map<String, Long> stored =
                counters.stream().collect(Collectors.toMap(Stored::reaction, Stored::count));
        expect("counters of " + id, counts, stored);
        if (faults.isEmpty()) {
            for (int i = 0; i < rows.size(); i++) {
                time(id, times, expected.rows().get(i).at(), rows.get(i).at());
            }
            for (Stored counter : counters) {
                Times wanted = expected.times().get(counter.reaction());
                time(id, times, wanted.first(), counter.first());
                time(id, times, wanted.last(), counter.last());
            }
            expect(
                    "last_at of " + id + " is the latest",
                    true,
                    times.values().stream().allMatch(at -> at <= (Long) row.get("last_at")));
            times.forEach((change, at) -> shown(id, bindings, change, at));
            hot(id, row, rows, counters);
        }
    }

    private JdbcClient.StatementSpec ask(EntityId id, String sql) {
        return postgres.sql(sql).params(id.namespace(), id.entity());
    }

    private static List<String> rowNames(List<Row> rows) {
        return rows.stream()
                .map(row -> row.user() + " " + row.reaction() + " as " + row.form())
                .toList();
    }

    /** Checks that a change has one time, and that a later change has a later one. */
    private void time(EntityId id, TreeMap<Long, Long> times, long change, long at) {
        times.putIfAbsent(change, at);
        boolean ordered =
                times.get(change) == at
                        && (times.lowerEntry(change) == null
                                || times.lowerEntry(change).getValue() < at)
                        && (times.higherEntry(change) == null
                                || times.higherEntry(change).getValue() > at);
        if (!ordered) {
            faults.add("time %d of change %d of %s among %s".formatted(at, change, id, times));
        }
    }

    /** Checks that answers showed the stored time, in milliseconds. */
    private void shown(EntityId id, Bindings bindings, long change, long at) {
        String shown = bindings.time(id, change);
        if (shown != null) {
            String stored = MILLISECONDS.format(Instant.EPOCH.plus(at, ChronoUnit.MICROS));
            expect("shown time of change " + change + " of " + id, shown, stored);
        }
    }

    private void hot(EntityId id, Map<String, Object> row, List<Row> rows, List<Stored> counters) {
        var key = new EntityKey(id.namespace(), id.entity());
        int p = partitions.of(key);
        String counts = RedisSchema.counts(p, key);
        String users = RedisSchema.users(p, key);
        Wait.until(
                id + " is clean",
                () ->
                        redis.pttl(counts) != -1
                                && redis.pttl(users) != -1
                                && redis.xlen(RedisSchema.outbox(p)) <= 1);
        Map<String, String> hot = new TreeMap<>(redis.hgetall(counts));
        if (!hot.isEmpty()) {
            var wanted = new TreeMap<String, String>();
            counters.forEach(
                    counter ->
                            wanted.put(
                                    "r:" + counter.reaction(),
                                    RedisSchema.join(
                                            List.of(
                                                    "" + counter.count(),
                                                    "" + counter.first(),
                                                    "" + counter.last()))));
            wanted.put("version", "" + row.get("version"));
            wanted.put("op", "" + row.get("last_op"));
            wanted.put("at", "" + row.get("last_at"));
            wanted.put("people", "" + row.get("people"));
            hot.keySet().retainAll(union(wanted.keySet(), hot.keySet()));
            expect("hot counters of " + id, wanted, hot);
        }
        users(id, redis.hgetall(users), rows);
    }

    /** Names of both, without the header fields that Postgres does not have. */
    private static List<String> union(Iterable<String> wanted, Iterable<String> found) {
        var names = new ArrayList<String>();
        wanted.forEach(names::add);
        found.forEach(name -> names.add(name.startsWith("r:") ? name : ""));
        return names;
    }

    private void users(EntityId id, Map<String, String> hot, List<Row> rows) {
        if (hot.isEmpty()) {
            return;
        }
        if (hot.get("complete").equals("1")) {
            rows.forEach(row -> expect(row + " is hot", true, hot.containsKey("u:" + row.user())));
        }
        hot.forEach(
                (field, value) -> {
                    if (field.startsWith("u:")) {
                        String user = field.substring(2);
                        List<String> stored =
                                rows.stream()
                                        .filter(row -> row.user().equals(user))
                                        .map(StoredState::item)
                                        .toList();
                        String hotOnes = value.substring(value.indexOf(RedisSchema.SEPARATOR) + 1);
                        expect(
                                "hot reactions of " + user + " on " + id,
                                stored,
                                RedisSchema.split(hotOnes));
                    }
                });
    }

    /** A reaction as lists in Redis have it. */
    private static String item(Row row) {
        String form = row.form().equals(row.reaction()) ? null : row.form();
        return RedisSchema.withForm(row.reaction(), form);
    }

    private void expect(String what, Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            faults.add("%s: expected %s but is %s".formatted(what, expected, actual));
        }
    }
}
