package dev.ovation.faults;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.testing.Imports.CSV;
import static dev.ovation.testing.Imports.HEADER;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Erasures during writes and imports. */
@Beside
class ErasureTest {

    private static final long SEED = Seed.from("seed", 377);
    private static final int CROWD = 7;
    private static final int LARGE = 7_000;
    private static final List<String> ENTITIES = List.of("1", "2", "a:b {3} 👩‍💻");

    private static Stage stage;
    private static List<Instance> instances;

    private final String ann = "ann-" + UUID.randomUUID();

    @BeforeAll
    static void open() {
        stage = Stage.open();
        String[] small =
                Patience.longWith(
                        "ovation.internal.hot.complete-limit=" + CROWD,
                        "ovation.internal.hot.partial-limit=" + 5 * CROWD);
        instances = List.of(stage.start(small), stage.start(small));
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    @Test
    void countsEqualRowsAtEveryCommitUnderConcurrentWrites() throws Exception {
        String file = Imports.everywhere(NOTES, ENTITIES, 101);
        Imports.run(instances.getFirst(), "kind=reactions", file);
        var others = new Crowd(SEED, instances, ENTITIES);
        var crowd = Stage.meanwhile(() -> others.run(23, 41));
        var erased =
                Stage.meanwhile(
                        () -> {
                            for (int i = 0; i < 37; i++) {
                                Erasures.user(instances.get(i % 2), "imported-" + i);
                                others.awaitActions();
                            }
                            return true;
                        });
        while (!erased.isDone()) {
            assertThat(stage.rows(Invariants.COUNTS_UNEQUAL_ROWS)).isEmpty();
        }

        assertThat(erased.get()).isTrue();
        Crowd.assertShown(crowd.get());
        for (String entity : ENTITIES) {
            for (Instance instance : instances) {
                var answer = instance.read(NOTES, entity, "imported-0");
                assertThat(Stage.own(answer)).isEmpty();
                assertThat(Stage.counts(answer))
                        .containsEntry("🔥", stage.count(NOTES, entity, "🔥"));
                assertThat(Stage.own(instance.read(NOTES, entity, "imported-37")))
                        .containsExactly("🔥");
            }
        }
        stage.assertSound();
    }

    @Test
    void aLargeEntityIsErasedInBatchesWhileOthersReactToIt() throws Exception {
        var file = new StringBuilder(HEADER);
        for (int i = 0; i < LARGE; i++) {
            file.append("%s,large,imported-%d,👍,%d\n".formatted(NOTES, i, 1000 + i));
        }
        Imports.run(instances.getFirst(), "kind=reactions", file.toString());
        var erased =
                Stage.meanwhile(
                        () -> {
                            Erasures.entity(instances.getFirst(), NOTES, "large");
                            return true;
                        });
        for (int i = 0; !erased.isDone(); i++) {
            var answer = instances.getLast().add(NOTES, "large", "late-" + i, "👍");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(stage.rows(Invariants.COUNTS_UNEQUAL_ROWS)).isEmpty();
        }

        assertThat(erased.get()).isTrue();
        assertThat(instances.getLast().add(NOTES, "large", "last", "👎").status()).isEqualTo(200);
        assertThat(
                        stage.rows(
                                """
                                select user_id from named_reaction
                                where  entity = 'large' and user_id like 'imported-%'
                                """))
                .isEmpty();
        for (Instance instance : instances) {
            assertThat(Stage.counts(instance.read(NOTES, "large", "last")))
                    .containsEntry("👎", 1L)
                    .isEqualTo(counted("large"));
        }
        stage.assertSound();
    }

    private static Map<String, Long> counted(String entity) {
        var counts = new TreeMap<String, Long>();
        for (String reaction : Stage.REACTIONS) {
            long count = stage.count(NOTES, entity, reaction);
            if (count > 0) {
                counts.put(reaction, count);
            }
        }
        return counts;
    }

    @Test
    void afterwardsTheUserIsNamedNowhere() throws Exception {
        var traces = new Traces(stage);
        var one = instances.getFirst();
        leaveInRedis(one, "crowded");
        assertThat(one.add(NOTES, "kept", ann, "👍").status()).isEqualTo(200);
        leaveNameFriendAndAnswer(one);
        leaveReport(one);
        String pending = elsewhere();
        try (var _ =
                stage.hold(
                        "select 1 from partition where p = %d for update"
                                .formatted(Stage.partition(NOTES, pending)))) {
            String file = HEADER + "%s,%s,%s,👍,1000\n".formatted(NOTES, pending, ann);
            String job = Imports.id(Imports.send(one, "kind=reactions", CSV, file));
            assertThat(traces.of(ann))
                    .contains(
                            "friendship",
                            "idempotency",
                            "import_row",
                            "job",
                            "redis outbox",
                            "redis u",
                            "user_profile",
                            "user_reaction");

            Erasures.user(instances.getLast(), ann);

            awaitNoneInHand();
            assertThat(traces.of(ann)).isEmpty();
            stage.release();
            Erasures.awaitDone(one.port(), job);
        }
        assertThat(traces.of(ann)).as("no import restored the user").isEmpty();
        stage.assertSound();
    }

    /** Therefore an erasure searches Redis, also if Postgres has nothing of the user. */
    @Test
    void aUserWhomRedisAloneNamesIsErased() throws Exception {
        var traces = new Traces(stage);
        leaveInRedis(instances.getFirst(), "also crowded");
        stage.hold("delete from removal where user_id = '" + ann + "'").release(); // as expired
        assertThat(traces.of(ann))
                .contains("redis u")
                .allSatisfy(trace -> assertThat(trace).matches("redis .*|removal.*"));

        Erasures.user(instances.getLast(), ann);

        assertThat(traces.of(ann)).isEmpty();
        stage.assertSound();
    }

    @Test
    void aReactionThatIsNotCommittedYetIsErased() throws Exception {
        var traces = new Traces(stage);
        String p = Integer.toString(Stage.partition(NOTES, "uncommitted"));
        Future<Boolean> erased;
        try (var _ = stage.hold("select 1 from partition where p = " + p + " for update")) {
            var added =
                    Stage.meanwhile(
                            () -> instances.getFirst().add(NOTES, "uncommitted", ann, "👍"));
            Wait.until("it is proposed", () -> traces.of(ann).contains("redis outbox"));
            assertThat(traces.of(ann))
                    .contains("redis u")
                    .allSatisfy(trace -> assertThat(trace).startsWith("redis "));
            erased =
                    Stage.meanwhile(
                            () -> {
                                Erasures.user(instances.getLast(), ann);
                                return true;
                            });
            Wait.until(
                    "reactions in Postgres are erased",
                    () ->
                            !stage.rows("select 1 from job where position->>'phase' = '3'")
                                    .isEmpty());
            stage.release();
            var _ = added.get();
        }

        assertThat(erased.get()).isTrue();
        assertThat(traces.of(ann)).isEmpty();
        assertThat(Stage.counts(instances.getFirst().read(NOTES, "uncommitted", ann))).isEmpty();
        stage.assertSound();
    }

    /** A reaction that was taken back, and a look-up of a user without reactions. */
    private void leaveInRedis(Instance service, String crowded) {
        for (int i = 0; i < 2 * CROWD; i++) {
            assertThat(service.add(POSTS, crowded, "user-" + i, "👍").status()).isEqualTo(200);
        }
        stage.evict(crowded);
        String users =
                RedisSchema.users(Stage.partition(POSTS, crowded), Stage.key(POSTS, crowded));
        Wait.until(
                "the look-up is installed",
                () ->
                        Stage.own(service.read(POSTS, crowded, ann)).isEmpty()
                                && stage.redis().hexists(users, "u:" + ann));
        assertThat(service.add(NOTES, "taken back", ann, "👍").status()).isEqualTo(200);
        assertThat(service.remove(NOTES, "taken back", ann, "👍").status()).isEqualTo(200);
        stage.awaitDrained();
    }

    private void leaveNameFriendAndAnswer(Instance service) {
        service.send("PUT", "/users?user_id=" + ann, "{\"display_name\":\"Ann\"}");
        service.send("PUT", "/users/friends?user_id=%s&friend_id=ben".formatted(ann), null);
        service.send("PUT", "/users/friends?user_id=zoe&friend_id=" + ann, null);
        var keyed =
                service.send(
                        "POST",
                        "/reactions",
                        Instance.body(NOTES, "kept", ann, "🎉"),
                        "Idempotency-Key",
                        "key");
        assertThat(keyed.status()).isEqualTo(200);
        stage.awaitDrained();
    }

    /** Leaves the report of an import that broke a rule. */
    private void leaveReport(Instance service) {
        String row = POSTS + ",reported," + ann;
        var job =
                Imports.run(
                        service,
                        "kind=reactions",
                        HEADER + row + ",👍,1000\n" + row + ",👎,1001\n");
        assertThat(job.at("/report/mutually_exclusive_reactions/count").intValue()).isEqualTo(1);
    }

    /** An entity in a partition without data of the user. */
    private String elsewhere() {
        int announcing = Math.floorMod(ann.hashCode(), 64);
        var used =
                Set.of(
                        Stage.partition(NOTES, "taken back"),
                        Stage.partition(NOTES, "kept"),
                        Stage.partition(POSTS, "crowded"),
                        Stage.partition(POSTS, "reported"));
        return IntStream.range(0, 1000)
                .mapToObj(i -> "pending-" + i)
                .filter(entity -> !used.contains(Stage.partition(NOTES, entity)))
                .filter(entity -> Stage.partition(NOTES, entity) != announcing)
                .findFirst()
                .orElseThrow();
    }

    /**
     * Notes of requests with an idempotency key expire after ovation.internal.hot.in-flight-ttl.
     */
    private static void awaitNoneInHand() {
        Wait.until("no key is in flight", () -> stage.redis().keys("{*}:i:*").isEmpty());
    }
}
