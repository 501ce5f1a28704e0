package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.chaos.Snapshot.Holder;
import dev.ovation.faults.Invariants;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One run of the nemesis over a load; at the end the histories must explain all stored data. */
final class Run {

    private static final int MOST_SHOWN = 400;
    private static final Duration LONG = Duration.ofMinutes(30);

    /** Bounds a hang, not the time that a busy machine needs until the end. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private final long seed;
    private final Duration time;
    private final int haste;
    private final boolean clustered;
    private Pattern only = Pattern.compile("");
    private final Violations violations = new Violations();
    private final Figures figures = new Figures();

    /**
     * Creates a run of this duration.
     *
     * @param haste divisor of the durations of faults, so that more of them occur
     * @param clustered whether Redis is a cluster
     */
    Run(long seed, Duration time, int haste, boolean clustered) {
        this.clustered = clustered;
        this.seed = seed;
        this.time = time;
        this.haste = haste;
    }

    /** Restricts the faults to kinds in which the pattern is found. */
    Run only(Pattern kinds) {
        this.only = kinds;
        return this;
    }

    /** Fails with the seed and the report if there is a violation. */
    void start() throws Exception {
        System.out.println("Faults of seed " + seed);
        long start = System.nanoTime();
        try (var bench = new Bench(time.dividedBy(2), clustered);
                var consumer =
                        new WebhookConsumer(
                                new EventJudge(violations),
                                seed,
                                bench.doors(),
                                figures,
                                violations)) {
            var histories = new Histories(bench.season(), InstantSource.system(), violations);
            var drift = new Drift(bench, violations);
            var moderator = new Moderator(seed, histories, bench.doors(), figures, violations);
            var load = new Load(bench, seed, moderator, consumer, histories, figures, violations);
            var nemesis =
                    new Nemesis(
                            bench,
                            only,
                            seed,
                            haste,
                            moderator,
                            histories,
                            figures,
                            drift,
                            violations);
            var audit = new Audit(bench, violations);
            load.start();
            try {
                nemesis.run(time);
            } catch (Exception | Error e) {
                violations.add("the nemesis stopped: " + Load.trace(e));
            }
            load.stop();
            int snapshots = audit.stop();
            judge(bench, load, histories, drift);
            var lasted = Duration.ofNanos(System.nanoTime() - start);
            var report =
                    new Report(
                            Path.of(
                                    "target",
                                    clustered ? "chaos-report-cluster.md" : "chaos-report.md"),
                            nemesis.all().stream().map(Fault::kind).toList(),
                            seed,
                            lasted,
                            nemesis.strikes(),
                            figures,
                            snapshots,
                            violations.found());
            String summary = report.write();
            assertThat(violations.found())
                    .as(summary + "\nfaults in order:\n" + nemesis.strikes())
                    .isEmpty();
            assertThat(nemesis.strikes()).as(summary).hasSizeGreaterThanOrEqualTo(least());
            assertThat(snapshots).as("committed states audited, " + summary).isPositive();
        }
    }

    /** Least number of faults; a long run with fewer proves nothing. */
    private int least() {
        return time.compareTo(LONG) < 0 ? 1 : 200;
    }

    /** Judges the run when no client writes any more. */
    private void judge(Bench bench, Load load, Histories histories, Drift drift) {
        try (var connection = bench.connect()) {
            awaitDrained(bench, connection);
            var stored = Snapshot.read(connection);
            histories.judge(stored);
            judge(load, () -> Snapshot.read(connection));
            var sql = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
            bench.redis(
                    redis -> {
                        new Invariants(sql, redis).assertRedisEqualsPostgres();
                        return null;
                    });
            for (Door door : bench.doors()) {
                shown(door, histories, stored);
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
    private static void awaitDrained(Bench bench, Connection connection) {
        Wait.until(
                "all outboxes are drained",
                BOUND,
                () -> {
                    var cursors = Snapshot.read(connection).cursors();
                    return bench.redis(
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
    private void shown(Door door, Histories histories, Snapshot stored) {
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
