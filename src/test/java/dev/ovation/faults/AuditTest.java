package dev.ovation.faults;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Audits find, name and repair drift made by hand, and leave consistent entities unchanged. */
@Beside
class AuditTest {

    private static final int CROWD = 7;

    private static Stage stage;
    private static Instance service;
    private static Audits audits;

    private final String entity = UUID.randomUUID().toString();
    private final String counts =
            RedisSchema.counts(Stage.partition(NOTES, entity), Stage.key(NOTES, entity));
    private final String users =
            RedisSchema.users(Stage.partition(NOTES, entity), Stage.key(NOTES, entity));

    @BeforeAll
    static void open() {
        stage = Stage.open();
        service =
                stage.start(
                        Patience.longWith( // no repair is repeated
                                "ovation.audit.rate=0",
                                "ovation.internal.audit.max-duration=40s", // each audit reaches
                                // every entity
                                "ovation.internal.hot.complete-limit=" + CROWD));
        audits = new Audits(service);
    }

    @AfterAll
    static void close() {
        try (var _ = stage) {
            stage.assertSound();
        }
    }

    @BeforeEach
    void twoLikeItAndOneHasAHeart() {
        add("ann", "👍");
        add("ben", "👍");
        add("cat", "🔥");
        stage.awaitDrained();
    }

    @Test
    void aConsistentEntityHasNoDrift() {
        assertThat(audits.drift(entity)).isEmpty();
        service.remove(NOTES, entity, "cat", "🔥");
        stage.awaitDrained();
        assertThat(audits.drift(entity)).isEmpty();
        stage.evict(entity);
        assertThat(audits.drift(entity)).isEmpty();
    }

    @Test
    void aCounterThatIsTooHigh() {
        sql("update named_counter set count = count + 1 where entity = ? and reaction = '👍'");

        assertThat(audits.repair(entity)).containsExactly("postgres count 👍: 3 instead of 2");
        assertRepaired();
    }

    @Test
    void anotherNumberOfPeople() {
        sql("update entity set people = 7 where entity = ?");

        assertThat(audits.repair(entity)).containsExactly("postgres people: 7 instead of 3");
        assertRepaired();
    }

    @Test
    void anotherNumberOfPeopleInRedis() {
        hot(counts, "people", _ -> "2");

        assertThat(audits.repair(entity)).containsExactly("redis people: 2 instead of 3");
        assertRepaired();
    }

    @Test
    void aRepairKeepsThatThereWasNoReaction() {
        String locked = "locked-" + entity;
        String target = "/entities?namespace_id=%s&entity_id=%s".formatted(NOTES, locked);
        assertThat(service.send("PUT", target, "{\"locked\":true}").status()).isEqualTo(200);
        for (String each : List.of(locked, entity)) {
            stage.sql.update("update entity set people = 7 where entity = ?", each);
        }

        assertThat(audits.repair(locked)).containsExactly("postgres people: 7 instead of 0");

        assertThat(op(locked)).startsWith(UniqueNames.UNREACTED);
        assertThat(op(entity)).doesNotStartWith(UniqueNames.UNREACTED);
    }

    private static String op(String id) {
        return stage.rows("select last_op from entity where entity = ?", id).getFirst();
    }

    /** Rows that are deleted by hand change no version; the repair does. */
    @Test
    void keptPeopleFollowARepair() {
        assertThat(people()).containsExactly("cat", "ben", "ann");
        sql("delete from named_reaction where entity = ? and user_id = 'ben'");

        assertThat(audits.repair(entity)).isNotEmpty();

        assertThat(people()).containsExactly("cat", "ann");
    }

    private List<String> people() {
        return service.get(
                        "/reactions?namespace_id=%s&entity_id=%s&viewer_id=zoe&people=5"
                                .formatted(NOTES, entity))
                .json()
                .at("/people/shown")
                .valueStream()
                .map(each -> each.get("user_id").stringValue())
                .toList();
    }

    @Test
    void aCounterThatIsGone() {
        sql("delete from named_counter where entity = ? and reaction = '🔥'");

        assertThat(audits.repair(entity))
                .containsExactly("postgres count 🔥: no counter instead of 1");
        assertRepaired();
    }

    @Test
    void aCounterOfNothing() {
        sql(
                "insert into named_counter select namespace, entity, '🎉', 0, 1, 2 from entity where entity = ?");

        assertThat(audits.repair(entity)).containsExactly("postgres count 🎉: 0 instead of 0");
        assertRepaired();
    }

    @Test
    void aTooLateFirstTimeOfACounterIsRepaired() {
        long at = stage.sql.queryForObject(at("min"), Long.class, entity);
        sql("update named_counter set first_at = last_at where entity = ? and reaction = '👍'");

        assertThat(audits.repair(entity))
                .hasSize(2)
                .anyMatch(line -> line.startsWith("postgres times 👍: "));
        assertRepaired();
        assertThat(
                        stage.sql.queryForObject(
                                "select first_at from named_counter where entity = ? and reaction = '👍'",
                                Long.class,
                                entity))
                .isEqualTo(at);
    }

    @Test
    void aUserReactionThatIsGone() {
        sql("delete from named_reaction where entity = ? and user_id = 'ann'");

        assertThat(audits.repair(entity))
                .containsExactly(
                        "postgres count 👍: 2 instead of 1",
                        "postgres people: 3 instead of 2",
                        "redis count 👍: 2 instead of 1",
                        "redis people: 3 instead of 2",
                        "redis user ann: [👍] instead of []");
        assertThat(Stage.counts(read())).isEqualTo(Map.of("👍", 1L, "🔥", 1L));
        add("ann", "👍");
        assertRepaired();
    }

    @Test
    void aVersionOlderThanTheOneThatWasShown() {
        sql("update entity set version = 1 where entity = ?");

        assertThat(audits.repair(entity))
                .singleElement()
                .asString()
                .startsWith("redis version: 3/");
        assertThat(version()).as("a version that no answer showed before").isEqualTo(4);
        assertRepaired();
    }

    @Test
    void aWrongCountInRedisIsRepaired() {
        hot(counts, "r:👍", value -> value.replaceFirst("^2", "7"));

        assertThat(audits.repair(entity)).containsExactly("redis count 👍: 7 instead of 2");
        assertRepaired();
    }

    @Test
    void aWrongUserReactionInRedisIsRepaired() {
        hot(users, "u:ann", value -> value.replace("👍", "🎉"));

        assertThat(audits.repair(entity)).containsExactly("redis user ann: [🎉] instead of [👍]");
        assertRepaired();
    }

    @Test
    void aUserThatACompleteHashDoesNotName() {
        stage.redis().hdel(users, "u:ann");

        assertThat(audits.repair(entity))
                .containsExactly("redis user: 2 in all instead of 3 in all");
        assertRepaired();
    }

    @Test
    void aHotStateThatNeverWas() {
        stage.redis().hset(counts, "op", "nobody");

        assertThat(audits.repair(entity))
                .singleElement()
                .asString()
                .startsWith("redis version: 3/nobody instead of 3/");
        assertRepaired();
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "u"})
    void aCleanHashWithoutATimeToLive(String kind) {
        stage.redis().persist(kind.equals("c") ? counts : users);

        assertThat(audits.repair(entity))
                .containsExactly("redis ttl: none instead of one, as nothing waits for its commit");
        assertRepaired();
    }

    @Test
    void marksThatAreGone() {
        stage.redis().hdel(counts, "seq", "since", "at");

        assertThat(audits.repair(entity))
                .singleElement()
                .asString()
                .startsWith("redis times: -1 instead of ");
        assertRepaired();
    }

    @Test
    void aDirtyEntityIsNoDriftUnlessItsEventIsGone() {
        try (var relays = stage.holdRelays()) {
            var dirty = Stage.meanwhile(() -> service.add(NOTES, entity, "dan", "👍"));
            stage.awaitProposed(NOTES, entity, 4);
            assertThat(audits.drift(entity)).isEmpty();

            stage.redis().pexpire(counts, 60_000);
            assertThat(audits.drift(entity))
                    .containsExactly(
                            "redis ttl: one instead of none, as a change waits for its commit");

            stage.redis().persist(counts);
            stage.redis().del(RedisSchema.outbox(Stage.partition(NOTES, entity)));
            assertThat(audits.drift(entity))
                    .singleElement()
                    .asString()
                    .startsWith("redis outbox: none instead of an event ");
            assertThat(dirty).isNotDone();
            relays.release();
            Wait.until("its writer has the answer", dirty::isDone);
        }
        service.attached();
        Wait.until("the lost change is proposed again", () -> Stage.counts(read()).get("👍") == 3);
        assertThat(audits.drift(entity)).isEmpty();
    }

    @Test
    void withoutRepairNothingChanges() {
        sql("update named_counter set count = count + 1 where entity = ? and reaction = '👍'");
        hot(users, "u:ann", value -> value.replace("👍", "🎉"));
        var before = everything();

        assertThat(audits.drift(entity)).hasSize(2);
        assertThat(audits.drift(entity)).hasSize(2);

        assertThat(everything()).isEqualTo(before);
        assertThat(audits.repair(entity)).hasSize(2);
        assertRepaired();
    }

    @Test
    void aHighCardinalityEntityIsCountedPageByPage() {
        sql("delete from named_counter where entity = ?");
        sql(
                """
                insert into named_reaction
                select namespace, entity, 'user ' || n, case when n % 3 = 0 then '👍' else '🎉' end,
                       last_at + 7
                from   entity cross join generate_series(1, 50001) n
                where  entity = ?
                """);
        sql(
                "insert into named_reaction select namespace, entity, 'user 6', '🎉', 7 from entity where entity = ?");
        stage.evict(entity);

        assertThat(audits.repair(entity))
                .containsExactly(
                        "postgres count 🎉: no counter instead of 33335",
                        "postgres count 👍: no counter instead of 16669",
                        "postgres count 🔥: no counter instead of 1",
                        "postgres people: 3 instead of 50004");
        assertThat(Stage.counts(read())).isEqualTo(Map.of("👍", 16669L, "🎉", 33335L, "🔥", 1L));
        assertThat(Stage.own(service.read(NOTES, entity, "user 6"))).containsExactly("🎉", "👍");
        stage.awaitDrained();
        assertThat(audits.drift(entity)).isEmpty();
    }

    @Test
    void eachAuditContinuesWhereTheLastOneEnded() {
        String neighbour = UUID.randomUUID().toString();
        service.add(NOTES, neighbour, "ann", "👍");
        int all = audits.audit(Audits.ALL).at("/checked").asInt();
        sql("update named_counter set count = 9 where entity in (?, '" + neighbour + "')");

        var drift = new TreeMap<String, List<String>>();
        for (int i = 0; i < all; i++) {
            var report = audits.audit("namespace_id=notes&sample=1&repair=true");
            assertThat(report.at("/checked").asInt()).isEqualTo(1);
            report.at("/drift")
                    .valueStream()
                    .map(one -> one.at("/entity_id").asString())
                    .forEach(one -> drift.put(one, Audits.lines(report, one)));
        }

        assertThat(drift).containsOnlyKeys(entity, neighbour);
        assertThat(audits.audit("sample=1000").at("/checked").asInt()).isGreaterThanOrEqualTo(all);
    }

    @Test
    void driftIsMeasuredWithoutIds() {
        long postgres = stage.metric(service, "ovation_audit_drift_total", "postgres");
        long redis = stage.metric(service, "ovation_audit_drift_total", "redis");
        long checked = stage.metric(service, "ovation_audit_checked_total", "");
        long repaired = stage.metric(service, "ovation_audit_repaired_total", "");
        sql("update named_counter set count = count + 1 where entity = ? and reaction = '👍'");
        hot(users, "u:ann", value -> value.replace("👍", "🎉"));

        audits.repair(entity);

        assertThat(stage.metric(service, "ovation_audit_drift_total", "postgres"))
                .isEqualTo(postgres + 1);
        assertThat(stage.metric(service, "ovation_audit_drift_total", "redis"))
                .isEqualTo(redis + 1);
        assertThat(stage.metric(service, "ovation_audit_repaired_total", ""))
                .isEqualTo(repaired + 1);
        assertThat(stage.metric(service, "ovation_audit_checked_total", "")).isGreaterThan(checked);
        assertThat(service.get("/actuator/prometheus").body()).doesNotContain(entity);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sample=0",
                "sample=1001",
                "sample=x",
                "sample=",
                "repair=yes",
                "sample=1&sample=2"
            })
    void parametersThatMakeNoSense(String query) {
        var answer = service.send("POST", "/actuator/audit?" + query, null);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(Crowd.code(answer)).isEqualTo("malformed-request");
        assertThat(answer.json().at("/violations/0/field").asString())
                .isEqualTo(query.substring(0, 6));
    }

    @Test
    void anUnknownNamespaceIsNotFound() {
        var answer = service.send("POST", "/actuator/audit?namespace_id=nowhere", null);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(Crowd.code(answer)).isEqualTo("unknown-namespace");
    }

    private void add(String user, String reaction) {
        assertThat(service.add(NOTES, entity, user, reaction).status()).isEqualTo(200);
    }

    private Instance.Answer read() {
        return service.read(NOTES, entity, null);
    }

    private long version() {
        return stage.sql.queryForObject(
                "select version from entity where entity = ?", Long.class, entity);
    }

    private static String at(String bound) {
        return "select %s(reacted_at) from named_reaction where entity = ? and reaction = '👍'"
                .formatted(bound);
    }

    /** Postgres, readers and writers have the state before the drift. */
    private void assertRepaired() {
        assertThat(Stage.counts(read())).isEqualTo(Map.of("👍", 2L, "🔥", 1L));
        assertThat(stage.count(NOTES, entity, "👍")).isEqualTo(2);
        awaitLoaded();
        assertThat(stage.redis().hget(counts, "people")).isEqualTo("3");
        add("dan", "👍");
        assertThat(stage.redis().hget(counts, "people")).isEqualTo("4");
        assertThat(Stage.counts(read())).isEqualTo(Map.of("👍", 3L, "🔥", 1L));
        stage.awaitDrained();
        assertThat(audits.drift(entity)).isEmpty();
    }

    /** A read on a busy machine may be answered by Postgres, without a load. */
    private void awaitLoaded() {
        Wait.until(
                "a read loads the entity",
                () -> {
                    assertThat(read().status()).isEqualTo(200);
                    return stage.redis().exists(counts) == 1;
                });
    }

    private void sql(String statement) {
        assertThat(stage.sql.update(statement, entity)).isPositive();
    }

    private void hot(String key, String field, UnaryOperator<String> replacement) {
        String value = stage.redis().hget(key, field);
        String other = replacement.apply(value);
        assertThat(other).isNotEqualTo(value);
        stage.redis().hset(key, field, other);
    }

    private List<String> everything() {
        return List.of(
                stage.rows("select * from entity order by 1, 2").toString(),
                stage.rows("select * from named_counter order by 1, 2, 3").toString(),
                stage.rows("select * from named_reaction order by 1, 2, 3, 4").toString(),
                stage.rows("select * from partition order by 1").stream()
                        .map(row -> row.replaceAll(" \\S+ \\S+$", ""))
                        .toList()
                        .toString(),
                new TreeMap<>(stage.redis().hgetall(counts)).toString(),
                new TreeMap<>(stage.redis().hgetall(users)).toString());
    }
}
