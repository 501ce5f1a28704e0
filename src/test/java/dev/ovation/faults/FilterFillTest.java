package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.script.FillFilterScript;
import dev.ovation.hot.script.FillFilterScript.Step;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Filters of high-cardinality entities, filled from Postgres in the background. */
@Beside
class FilterFillTest {

    private static final int CROWD = 7;

    private static Stage stage;
    private static Instance service;
    private static int strangers;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        service =
                stage.start(
                        Patience.longWith(
                                "ovation.internal.hot.complete-limit=" + CROWD,
                                "ovation.internal.hot.partial-limit=17"));
    }

    @AfterAll
    static void stop() {
        try (var _ = stage) {
            stage.assertSound();
        }
    }

    private static List<String> crowd(String entity, int users) {
        var crowd = IntStream.range(0, users).mapToObj(n -> "user-" + n).toList();
        crowd.forEach(user -> service.add(POSTS, entity, user, "👍"));
        return crowd;
    }

    private static List<String> own(String entity, String user) {
        return Stage.own(service.read(POSTS, entity, user));
    }

    private static String newStranger() {
        return "stranger-" + ++strangers;
    }

    private static long lookups() {
        return Stage.total(service, "ovation_hot_lookups_total", "\"posts\"", "\"user_miss\"");
    }

    private static long avoided() {
        return Stage.total(service, "ovation_hot_filter_avoided_total");
    }

    private static long filters(String result) {
        return Stage.total(service, "ovation_hot_filters_total", '"' + result + '"');
    }

    /**
     * The state of the entity's filter: empty when it is missing or of an earlier load of the
     * entity.
     */
    private static String state(String entity) {
        String filter =
                RedisSchema.filter(Stage.partition(POSTS, entity), Stage.key(POSTS, entity));
        String valid = stage.redis().hget(keyOfKind(filter, 'u'), "filter");
        String[] header = stage.redis().getrange(filter, 0, 127).strip().split(" ");
        return header.length == 7 && header[6].equals(valid) ? header[1] : "";
    }

    /**
     * Reads strangers, who are looked up, until the filter is complete, and awaits its count: the
     * service counts a fill after Redis has answered the last step. Fills of other tests may be
     * counted meanwhile.
     */
    private static void awaitFilled(String entity) {
        long before = filters("filled");
        Wait.until(
                "the filter is complete",
                () -> {
                    assertThat(own(entity, newStranger())).isEmpty();
                    return state(entity).equals("c");
                });
        Wait.until("the fill is counted", () -> filters("filled"), filled -> filled > before);
    }

    @Test
    void anEntityFromPostgresNeedsNoLookUpsOfStrangersAfterItsFill() {
        String entity = "from Postgres";
        var crowd = crowd(entity, 53);
        stage.evict(entity);
        awaitFilled(entity);

        long before = lookups();
        long avoidedBefore = avoided();
        for (int i = 0; i < 23; i++) {
            String newcomer = newStranger();
            assertThat(own(entity, newcomer)).isEmpty();
            assertThat(service.add(POSTS, entity, newcomer, "👍").status()).isEqualTo(200);
            assertThat(own(entity, newcomer)).containsExactly("👍");
        }
        assertThat(lookups()).isEqualTo(before);
        assertThat(avoided()).isEqualTo(avoidedBefore + 2 * 23);
        assertThat(crowd).allSatisfy(user -> assertThat(own(entity, user)).containsExactly("👍"));
        assertThat(Crowd.code(service.add(POSTS, entity, "user-1", "👍")))
                .isEqualTo("reaction-already-exists");
    }

    @Test
    void anEntityThatGrewInRedisHasItsFilterAtOnce() {
        String entity = "grown";
        long before = lookups();
        long grown = filters("grown");
        crowd(entity, 53);
        assertThat(lookups()).isEqualTo(before);
        assertThat(filters("grown")).isEqualTo(grown + 1);
        assertThat(state(entity)).isEqualTo("c");
    }

    @Test
    void aLostFilterIsFilledAnew() {
        String entity = "lost";
        var crowd = crowd(entity, 23);
        stage.awaitDrained();
        stage.redis()
                .unlink(
                        RedisSchema.filter(
                                Stage.partition(POSTS, entity), Stage.key(POSTS, entity)));
        awaitFilled(entity);
        assertThat(crowd).allSatisfy(user -> assertThat(own(entity, user)).containsExactly("👍"));
    }

    @Test
    void theFilterOfAnInstanceThatDiedIsBegunAnew() {
        String entity = "abandoned";
        var crowd = crowd(entity, 23);
        stage.evict(entity);
        Wait.until(
                "it is loaded again",
                () -> {
                    service.read(POSTS, entity, null);
                    return begin(entity, "dead") == FillFilterScript.Reply.READ;
                });
        assertThat(state(entity)).isEqualTo("r");
        awaitFilled(entity);
        assertThat(crowd).allSatisfy(user -> assertThat(own(entity, user)).containsExactly("👍"));
    }

    /** Begins a filter as an instance that took its last step before the patience ended. */
    private static FillFilterScript.Reply begin(String entity, String id) {
        int p = Stage.partition(POSTS, entity);
        var meta = stage.redis().hgetall(RedisSchema.meta(p));
        var fence = new Fence(Long.parseLong(meta.get("epoch")), meta.get("incarnation"));
        try (var client = RedisClient.create(stage.redisProcess.uri());
                var connection = client.connect()) {
            return new FillFilterScript(Duration.ofSeconds(30))
                    .execute(
                            connection.async(),
                            p,
                            fence,
                            Stage.key(POSTS, entity),
                            id,
                            System.currentTimeMillis() - 30_000,
                            Step.BEGIN,
                            List.of())
                    .join();
        }
    }

    @Test
    void aFillThatWaitsForACommitDoesNotDelayOthers() throws Exception {
        String entity = "waits";
        int p = Stage.partition(POSTS, entity);
        String other =
                IntStream.range(0, 100)
                        .mapToObj(n -> "beside " + n)
                        .filter(name -> Stage.partition(POSTS, name) != p)
                        .findFirst()
                        .orElseThrow();
        crowd(entity, 23);
        crowd(other, 23);
        stage.awaitDrained();
        stage.evict(entity);
        stage.evict(other);
        CompletableFuture<Answer> waiting;
        try (var _ = stage.hold("select 1 from partition where p = " + p + " for update")) {
            waiting = Stage.meanwhile(() -> service.add(POSTS, entity, "user-1", "❤️"));
            Wait.until(
                    "the fill of the first waits",
                    () -> {
                        own(entity, newStranger());
                        return state(entity).equals("b");
                    });
            awaitFilled(other);
            assertThat(state(entity)).isEqualTo("b");
        }
        assertThat(waiting.get().status()).isEqualTo(200);
        Wait.until(
                "the first is filled",
                () -> {
                    own(entity, newStranger());
                    return state(entity).equals("c");
                });
    }

    @Test
    void aCrowdOfManyPagesIsFilledWhole() {
        String entity = "many pages";
        crowd(entity, 23);
        stage.awaitDrained();
        // Three pages of rows: as imported, of which many share an instant.
        stage.rows(
                """
                insert into user_reaction (p, entity_no, reaction, user_id, reacted_at)
                select e.p, e.no, (select reaction from user_reaction r
                                   where  r.p = e.p and r.entity_no = e.no limit 1),
                       'imported-' || n, 1000 + n / 1500
                from   entity e cross join generate_series(1, 3001) n
                where  e.entity = ?
                returning user_id
                """,
                entity);
        stage.rows(
                """
                update counter c set count = count + 3001 from entity e
                where  e.entity = ? and c.p = e.p and c.entity_no = e.no returning c.count::text
                """,
                entity);
        stage.sql.execute("select count_people()");
        stage.evict(entity);
        awaitFilled(entity);
        for (int n = 1; n <= 3001; n += 97) {
            assertThat(own(entity, "imported-" + n)).containsExactly("👍");
        }
    }

    /** Each writer reads own changes, whatever the fill or an eviction does meanwhile. */
    @Test
    void fillsRaceWritesAndEvictions() throws Exception {
        String entity = "raced";
        crowd(entity, 23);
        long filled = filters("filled");
        var running = new AtomicBoolean(true);
        var writers =
                IntStream.range(0, 3)
                        .mapToObj(n -> Stage.meanwhile(() -> write(entity, "writer-" + n, running)))
                        .toList();
        try {
            for (int i = 1; i <= 3; i++) {
                long more = filled + i;
                unlinkOneOf(entity, i % 2 == 0 ? 'b' : 'u');
                Wait.until(
                        "another filter is filled",
                        () -> {
                            own(entity, newStranger());
                            return filters("filled") >= more;
                        });
            }
        } finally {
            running.set(false);
        }
        for (var writer : writers) {
            assertThat(writer.get()).isPositive();
        }
    }

    private static int write(String entity, String name, AtomicBoolean running) {
        int rounds = 0;
        while (running.get()) {
            String user = name + "-" + rounds++ % 29;
            boolean had = !own(entity, user).isEmpty();
            var answer =
                    had
                            ? service.send(
                                    "DELETE",
                                    "/reactions",
                                    Instance.body(POSTS, entity, user, "👍"))
                            : service.add(POSTS, entity, user, "👍");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(own(entity, user)).isEqualTo(had ? List.of() : List.of("👍"));
        }
        return rounds;
    }

    private static String keyOfKind(String filter, char kind) {
        return filter.replace("}:b:", "}:" + kind + ":");
    }

    /** Removes a key as an eviction does: once it is clean. */
    private static void unlinkOneOf(String entity, char kind) {
        String key =
                keyOfKind(
                        RedisSchema.filter(
                                Stage.partition(POSTS, entity), Stage.key(POSTS, entity)),
                        kind);
        Wait.until(
                "the key is clean",
                () ->
                        stage.redis()
                                        .<Long>eval(
                                                "return redis.call('PTTL', KEYS[1]) > 0 and"
                                                        + " redis.call('UNLINK', KEYS[1]) or 0",
                                                ScriptOutputType.INTEGER,
                                                key)
                                == 1);
    }
}
