package dev.ovation.chaos;

import dev.ovation.chaos.Snapshot.Holder;
import dev.ovation.faults.Invariants;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Judges the end of a run: the histories must explain all stored data, and both stores agree. */
final class FinalJudge {

    private static final int MOST_SHOWN = 400;

    /** Bounds a hang, not the time that a busy machine needs until the end. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private final Ground ground;
    private final Histories histories;
    private final Drift drift;
    private final Violations violations;

    FinalJudge(Ground ground, Histories histories, Drift drift, Violations violations) {
        this.ground = ground;
        this.histories = histories;
        this.drift = drift;
        this.violations = violations;
    }

    /** Judges the run when no client writes any more. */
    void judge(Load load) {
        try (var connection = ground.connect()) {
            awaitDrained(connection);
            var stored = Snapshot.read(connection);
            histories.judge(stored);
            judge(load, () -> Snapshot.read(connection));
            var last = Snapshot.read(connection);
            var sql = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
            ground.redis(
                    redis -> {
                        new Invariants(sql, redis).assertRedisEqualsPostgres();
                        return null;
                    });
            for (Door door : ground.doors()) {
                shown(door, last);
            }
            drift.audit(stored.versions().size());
        } catch (Exception | AssertionError e) {
            violations.add("at the end: " + Load.trace(e));
        }
    }

    /** Judges what was read; a late request of a client may still change what is stored. */
    private void judge(Load load, Callable<Snapshot> stored) {
        try {
            load.judge(stored);
        } catch (AssertionError e) {
            violations.add("at the end: " + Load.trace(e));
        }
    }

    /**
     * Waits until every proposal is applied and acknowledged, and only checkpoint entries are left.
     */
    private void awaitDrained(Connection connection) {
        Wait.until(
                "all outboxes are drained",
                BOUND,
                () -> {
                    var cursors = Snapshot.read(connection).cursors();
                    return ground.redis(
                            redis ->
                                    cursors.entrySet().stream()
                                            .allMatch(
                                                    one ->
                                                            isDrained(
                                                                    redis,
                                                                    "{" + one.getKey() + "}:",
                                                                    one.getValue())));
                });
    }

    private static boolean isDrained(
            RedisCommands<String, String> redis, String prefix, Snapshot.Cursor cursor) {
        Map<String, String> meta = redis.hgetall(prefix + "meta");
        String seq = "" + cursor.seq();
        return ("" + cursor.epoch()).equals(meta.get("epoch"))
                && seq.equals(meta.get("seq"))
                && seq.equals(meta.get("acked"))
                && redis.xlen(prefix + "outbox") <= 1;
    }

    /** Compares the answers with the stored rows, also for entities without rows. */
    private void shown(Door door, Snapshot stored) {
        var rows = stored.rows();
        var gone = histories.holders().stream().filter(holder -> !rows.containsKey(holder));
        var some = Stream.concat(rows.keySet().stream().limit(MOST_SHOWN), gone.limit(MOST_SHOWN));
        for (Holder holder : some.toList()) {
            var query =
                    Map.of(
                            "namespace_id", holder.place().space().id(),
                            "entity_id", holder.place().entity(),
                            "user_id", holder.user(),
                            "people", "0");
            var answer = answer(door, "/reactions?" + Instance.encode(query));
            Place place = holder.place();
            int own = answer.status() == 200 ? Answers.own(place, answer.json()) : -1;
            int right = rows.getOrDefault(holder, 0);
            long people = stored.people().getOrDefault(place, 0L);
            boolean isLocked = stored.locks().containsKey(place);
            if (own != right
                    || answer.json().at("/people/total").asLong(-1) != people
                    || Answers.isLocked(answer.json()) != isLocked) {
                violations.add(
                        "%s is shown %s through %s, stored is %s, %d people, lock %s"
                                .formatted(
                                        holder,
                                        answer.body(),
                                        door,
                                        place.names(right),
                                        people,
                                        isLocked));
            }
        }
    }

    /** Retries a read until it is answered; a server that hangs for seconds causes a 503. */
    private static Answer answer(Door door, String path) {
        var answers = new ArrayList<Answer>();
        Wait.until(
                "%s answers GET %s".formatted(door, path),
                BOUND,
                () ->
                        answers.add(door.send("GET", path, null))
                                && answers.getLast().status() != 503);
        return answers.getLast();
    }
}
