package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import io.lettuce.core.Range;
import io.lettuce.core.XAddArgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Outboxes hold events of an older or a newer release beside those of this one, as during a rolling
 * update. The events of the first release are stored in a file that was recorded from it.
 */
@Beside
@ExtendWith(Pair.class)
class EventsOfOtherReleasesTest {

    private static final String ENTITY = "recorded \"by\" the first release 👩‍💻";

    /** A change of each kind: added, forced, removed, with a key, with a key but without effect. */
    private static List<Map<String, String>> recorded() {
        try (var file =
                EventsOfOtherReleasesTest.class.getResourceAsStream("events-of-form-1.json")) {
            return JsonMapper.shared().readValue(file, new TypeReference<>() {});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void eventsOfTheFirstReleaseAreAppliedAndTheirKeysAreKnown() {
        var rejectedBefore = reasons(ENTITY); // other tests share the partition
        append(recorded());
        Pair.stage().awaitDrained();

        assertThat(
                        Pair.stage()
                                .rows(
                                        "select user_id, reaction from named_reaction where entity = ?",
                                        ENTITY))
                .containsExactlyInAnyOrder("ann 👎", "cat ❤", "a:b {c}|'😂 😂");
        assertThat(Pair.version(ENTITY)).isEqualTo(6);
        assertThat(reasons(ENTITY)).isEqualTo(rejectedBefore);
        var first = keyed("/reactions", "key-of-cat");
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        assertThat(first.json().at("/outcome").asString()).isEqualTo("applied");
        assertThat(first.json().at("/added/0").asString()).isEqualTo("❤️");
        assertThat(first.json().at("/entity/reactions_count").size()).as("👎 🔥 ❤️").isEqualTo(3);
        var second = keyed("/reactions?if_exists=ok", "another-key");
        assertThat(second.json().at("/outcome").asString()).isEqualTo("unchanged");
        assertThat(Pair.version(ENTITY)).as("they were answers, not changes").isEqualTo(6);
    }

    @Test
    void eventsOfThisReleaseHaveAllMembersOfTheFirstRelease() throws Exception {
        String entity = "written today";
        Pair.other().add(POSTS, entity, "zoe", "👍");
        Pair.stage().awaitDrained();
        var written = new ArrayList<Map<String, String>>();
        try (var _ = Pair.stage().holdRelays()) {
            var plain = Stage.meanwhile(() -> Pair.other().add(POSTS, entity, "ann", "👍"));
            Pair.stage().awaitProposed(POSTS, entity, 2);
            var keyed = Stage.meanwhile(() -> keyedAdd(entity));
            Pair.stage().awaitProposed(POSTS, entity, 3);
            String outbox = RedisSchema.outbox(Stage.partition(POSTS, entity));
            Pair.stage()
                    .redis()
                    .xrevrange(outbox, Range.unbounded())
                    .forEach(entry -> written.add(Event.members(entry.getBody())));
            Pair.stage().release();
            assertThat(plain.get().status()).isEqualTo(200);
            assertThat(keyed.get().status()).isEqualTo(200);
        }
        var before = recorded();
        assertThat(written.get(1)).containsAllEntriesOf(Map.of("s", "1", "u", "ann"));
        assertThat(written.get(1).keySet()).containsAll(before.get(0).keySet());
        assertThat(written.get(0)).containsAllEntriesOf(Map.of("s", "1", "u", "ben"));
        assertThat(written.get(0).keySet()).containsAll(before.get(3).keySet());
    }

    @Test
    void membersThatALaterReleaseAddsToTheSameFormArePassedOver() {
        String entity = "with more members";
        Pair.other().add(POSTS, entity, "zoe", "👍");
        Pair.stage().awaitDrained();
        var later = new HashMap<>(recorded().getFirst());
        var head = Pair.stage().rows("select last_op from entity where entity = ?", entity);
        later.putAll(
                Map.of("e", entity, "base", head.getFirst(), "bv", "1", "v", "2", "zz", "later"));
        Pair.stage().evict(entity);
        append(List.of(later));

        Pair.stage().awaitDrained();
        assertThat(Pair.stage().stored(POSTS, entity, "ann")).containsExactly("👍");
        assertThat(Pair.stage().count(POSTS, entity, "👍")).isEqualTo(2);
    }

    @Test
    void aFormOfTheFutureStopsItsPartitionAndNoOtherUntilANewerInstanceAppliesIt()
            throws Exception {
        String entity = "future";
        int p = Stage.partition(POSTS, entity);
        String elsewhere = "elsewhere";
        assertThat(Stage.partition(POSTS, elsewhere)).isNotEqualTo(p);
        Pair.one().add(POSTS, entity, "ann", "👍");
        Pair.stage().awaitDrained();
        long applied = applied(p);
        CompletableFuture<Answer> behind;
        try (var _ = Pair.stage().holdRelays()) {
            Pair.stage().propose("2", POSTS, entity, "fay", "🔥");
            behind = Stage.meanwhile(() -> Pair.one().add(POSTS, entity, "ben", "👍"));
            Pair.stage().awaitProposed(POSTS, entity, 3);
        }
        for (Instance instance : List.of(Pair.one(), Pair.other())) {
            Wait.until("health names it", () -> stoppedAt(instance).equals(List.of(p)));
            var refused = instance.add(POSTS, entity, "cat", "👍");
            assertThat(Crowd.code(refused)).isEqualTo("unavailable");
            assertThat(refused.json().at("/outcome").asString()).isEqualTo("refused");
            String user = "user of " + instance.port();
            assertThat(instance.add(POSTS, elsewhere, user, "👍").status()).isEqualTo(200);
        }
        assertThat(applied(p)).as("it is not skipped").isEqualTo(applied);
        assertThat(behind).isNotDone();

        applyAsANewerInstanceWould(p, entity, applied + 1);

        assertThat(behind.get().status()).isEqualTo(200);
        for (Instance instance : List.of(Pair.one(), Pair.other())) {
            Wait.until("the relay continues", () -> stoppedAt(instance).isEmpty());
            String user = "user of " + instance.port();
            assertThat(instance.add(POSTS, entity, user, "👍").status()).isEqualTo(200);
        }
        assertThat(Stage.counts(Pair.one().read(POSTS, entity, null)))
                .isEqualTo(Map.of("👍", 4L, "🔥", 1L));
    }

    /** Appends events to the outbox of their entity, which must not be in Redis. */
    private static void append(List<Map<String, String>> events) {
        int p = Stage.partition(POSTS, events.getFirst().get("e"));
        var redis = Pair.stage().redis();
        var meta = redis.hgetall(RedisSchema.meta(p));
        long seq = Long.parseLong(meta.getOrDefault("seq", "0"));
        redis.multi();
        for (var event : events) {
            var id = new XAddArgs().id(meta.get("epoch") + "-" + ++seq);
            redis.xadd(RedisSchema.outbox(p), id, Stage.entry(event));
        }
        redis.hset(RedisSchema.meta(p), "seq", "" + seq);
        redis.exec();
    }

    /** An instance of the newer release writes rows, head and watermark in one transaction. */
    private static void applyAsANewerInstanceWould(int p, String entity, long seq) {
        String op = "foreign-" + seq;
        try (var apply =
                Pair.stage().hold("select 1 from partition where p = " + p + " for update")) {
            String at =
                    Pair.stage()
                            .redis()
                            .hget(counts(p, entity), "r:🔥")
                            .split(RedisSchema.SEPARATOR)[1];
            for (String statement :
                    List.of(
                            "insert into named_reaction values ('%1$s', '%2$s', 'fay', '🔥', %3$s)",
                            "insert into named_counter values ('%1$s', '%2$s', '🔥', 1, %3$s, %3$s)",
                            "update entity set version = version + 1, people = people + 1, last_op = '%4$s', last_at = %3$s where entity = '%2$s'",
                            "update partition set applied_seq = %5$d, applied_op = '%4$s' where p = %6$d")) {
                apply.execute(statement.formatted(POSTS, entity, at, op, seq, p));
            }
        }
    }

    private static String counts(int p, String entity) {
        return RedisSchema.counts(p, Stage.key(POSTS, entity));
    }

    private static List<String> reasons(String entity) {
        int p = Stage.partition(POSTS, entity);
        return Pair.stage().rows("select reason from rejected_event where p = ?", p);
    }

    private static long applied(int p) {
        String query = "select applied_seq from partition where p = ?";
        return Long.parseLong(Pair.stage().rows(query, p).getFirst());
    }

    private static List<Integer> stoppedAt(Instance instance) {
        return instance.get("/actuator/health")
                .json()
                .at("/components/relay/details/stopped_at_unknown_events")
                .valueStream()
                .map(p -> p.asInt())
                .toList();
    }

    private static Answer keyed(String path, String key) {
        return Pair.one()
                .send(
                        "POST",
                        path,
                        Instance.body(POSTS, ENTITY, "cat", "❤️"),
                        "Idempotency-Key",
                        key,
                        "Prefer",
                        "return=representation");
    }

    private static Answer keyedAdd(String entity) {
        String body = Instance.body(POSTS, entity, "ben", "👍");
        return Pair.other().send("POST", "/reactions", body, "Idempotency-Key", "today");
    }
}
