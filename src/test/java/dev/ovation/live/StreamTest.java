package dev.ovation.live;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.EventStream;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Streams of two instances on real servers. */
@Beside
class StreamTest {

    private static Stage stage;
    private static Instance one;
    private static Instance other;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        one =
                stage.start(
                        Patience.longWith(
                                "ovation.internal.live.heartbeat=20ms",
                                "ovation.internal.live.check=200ms"));
        other =
                stage.start(
                        Patience.longWith(
                                "ovation.live.watchers=2", "ovation.internal.live.heartbeat=20ms"));
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    private static EventStream watch(Instance instance, List<String> entities, String... headers) {
        return EventStream.open(instance.port(), POSTS, entities, null, headers)
                .awaitSnapshots(entities);
    }

    private static void add(Instance instance, String entity, String user, String reaction) {
        assertThat(instance.add(POSTS, entity, user, reaction).status()).isEqualTo(200);
    }

    @Test
    void aStreamBeginsWithItsIdAndASnapshotOfEachEntity() {
        add(one, "begun", "ann", "👍");
        try (var stream = watch(one, List.of("begun", "never-seen"))) {
            assertThat(stream.head())
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("\r\ncontent-type: text/event-stream\r\n")
                    .containsIgnoringCase("\r\nx-accel-buffering: no\r\n")
                    .containsIgnoringCase("\r\ncache-control: no-store\r\n");
            assertThat(stream.names()).containsExactly("hello", "snapshot", "snapshot");
            Answer read = one.get("/reactions?namespace_id=posts&entity_id=begun&details=true");
            var state = stream.state("begun");
            read.json()
                    .properties()
                    .forEach(
                            member ->
                                    assertThat(state.get(member.getKey()))
                                            .isEqualTo(member.getValue()));
            assertThat(state.get("namespace_id").asString()).isEqualTo("posts");
            assertThat(state.has("user_reactions")).isFalse();
            assertThat(stream.state("never-seen").at("/total").asInt()).isZero();
        }
    }

    @Test
    void aChangeOfAnotherInstanceArrives() {
        try (var stream = watch(one, List.of("far"))) {
            add(other, "far", "ann", "👍");
            stream.awaitCount("far", "👍", 1);
            add(other, "far", "bob", "👍");
            stream.awaitCount("far", "👍", 2);
            assertThat(other.remove(POSTS, "far", "bob", "👍").status()).isEqualTo(200);
            stream.awaitCount("far", "👍", 1);
            assertThat(stream.names()).startsWith("hello", "snapshot", "change");
            assertThat(stream.violations()).isEmpty();
        }
    }

    @Test
    void aWatchingUserSeesOwnReactionsAndOthersDoNot() {
        try (var anns = EventStream.open(one.port(), POSTS, List.of("own"), "ann");
                var any = watch(one, List.of("own"))) {
            anns.awaitSnapshots(List.of("own"));
            add(other, "own", "ann", "🔥");
            anns.awaitCount("own", "🔥", 1);
            any.awaitCount("own", "🔥", 1);
            assertThat(anns.state("own").at("/user_reactions/reactions/0").asString())
                    .isEqualTo("🔥");
            assertThat(any.state("own").has("user_reactions")).isFalse();
            assertThat(anns.state("own").get("version").asString())
                    .isEqualTo(
                            one.get(
                                            "/reactions?namespace_id=posts&entity_id=own&details=true&user_id=ann")
                                    .json()
                                    .get("version")
                                    .asString());
        }
    }

    /** While the connection takes nothing, changes are not queued. */
    @Test
    void aReaderThatStandsStillGetsOneStateOfEachEntity() {
        List<String> entities = IntStream.range(0, 200).mapToObj(n -> "still-" + n).toList();
        String target = EventStream.target(POSTS, entities, null);
        try (var still = EventStream.open(one.port(), target);
                var quick = watch(one, List.of("still-7"))) {
            for (int n = 0; n < 20; n++) {
                add(one, "still-7", "user-" + n, "👍");
                quick.awaitCount("still-7", "👍", n + 1);
            }
            still.reading().awaitCount("still-7", "👍", 20);
            assertThat(still.violations()).isEmpty();
        }
    }

    /** The relays commit them in few transactions. */
    @Test
    void manyChangesOfAnEntityBecomeFewEvents() {
        try (var stream = watch(one, List.of("many"))) {
            var all =
                    IntStream.range(0, 100)
                            .mapToObj(
                                    n ->
                                            Instance.operation(
                                                    "add", POSTS, "many", "user-" + n, "👍"))
                            .toList();
            CompletableFuture<Answer> batch;
            try (var _ = stage.holdRelays()) {
                batch =
                        Stage.meanwhile(
                                () -> one.send("POST", "/reactions/batch", Instance.batch(all)));
                stage.awaitProposed(POSTS, "many", 100);
            }
            assertThat(batch.join().status()).isEqualTo(200);
            stream.awaitCount("many", "👍", 100);
            assertThat(stream.names().stream().filter("change"::equals).count()).isLessThan(50);
        }
    }

    @Test
    void thePutReplacesTheWatchedSet() {
        add(one, "later", "ann", "👍");
        try (var stream = watch(one, List.of("first", "both"))) {
            String path = "/reactions/stream?stream_id=" + stream.streamId();
            String body = "{\"namespace_id\":\"posts\",\"entities\":[\"both\",\"later\"]}";
            assertThat(one.send("PUT", path, body).status()).isEqualTo(200);
            stream.awaitCount("later", "👍", 1);
            add(one, "first", "ann", "👍");
            add(one, "both", "ann", "👍");
            stream.awaitCount("both", "👍", 1);
            assertThat(stream.count("first", "👍")).isZero();
            assertThat(other.send("PUT", path, body).status()).isEqualTo(404);
        }
    }

    @Test
    void aResumedStreamGetsWhatChangedMeanwhile() {
        add(one, "cut", "ann", "👍");
        String id;
        try (var stream = watch(one, List.of("cut", "cut-too"))) {
            id = stream.lastId();
        }
        try (var unchanged =
                EventStream.open(
                        other.port(),
                        POSTS,
                        List.of("cut", "cut-too"),
                        null,
                        "Last-Event-ID: " + id)) {
            unchanged.streamId();
            add(one, "cut", "bob", "👍");
            unchanged.awaitCount("cut", "👍", 2);
            assertThat(unchanged.state("cut-too")).isNull();
        }
        try (var changed = watch(one, List.of("cut", "cut-too"), "Last-Event-ID: " + id)) {
            changed.awaitCount("cut", "👍", 2);
        }
    }

    @Test
    void streamsBeyondTheBoundAreRefusedUntilOneEnds() {
        Wait.until(
                "streams of other tests have ended", () -> other.bean(Watchers.class).size() == 0);
        try (var _ = watch(other, List.of("bound"))) {
            var second = watch(other, List.of("bound"));
            Answer refused = other.get("/reactions/stream?namespace_id=posts&entity_id=bound");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.json().at("/code").asString()).isEqualTo("too-many-watchers");
            assertThat(refused.json().at("/limit").asInt()).isEqualTo(2);
            assertThat(refused.headers()).containsKey("retry-after");
            second.close();
            Wait.until("a stream has ended", () -> other.bean(Watchers.class).size() < 2);
            watch(other, List.of("bound")).close();
        }
    }

    @Test
    void aStreamShowsNothingThatIsNotCommitted() throws Exception {
        try (var before = watch(one, List.of("held"))) {
            CompletableFuture<Answer> writing;
            try (var _ = stage.holdRelays()) {
                writing = Stage.meanwhile(() -> one.add(POSTS, "held", "ann", "👍"));
                stage.awaitProposed(POSTS, "held", 1);
                assertThat(Stage.counts(one.read(POSTS, "held", "ann"))).containsEntry("👍", 1L);
                try (var meanwhile = watch(one, List.of("held"))) {
                    assertThat(meanwhile.count("held", "👍")).isZero();
                }
                assertThat(before.count("held", "👍")).isZero();
            }
            assertThat(writing.get().status()).isEqualTo(200);
            before.awaitCount("held", "👍", 1);
        }
    }

    /** As after the loss of a message, or the death of an instance between commit and message. */
    @Test
    void aChangeThatNothingAnnouncesArrivesToo() {
        add(one, "quiet", "ann", "👍");
        try (var stream = watch(one, List.of("quiet"))) {
            stage.sql.update(
                    """
                    with e as (
                        update entity set version = version + 1, last_op = 'quiet'
                        where entity = 'quiet' returning p, no)
                    update counter c set count = 7 from e where c.p = e.p and c.entity_no = e.no
                    """);
            stream.awaitCount("quiet", "👍", 7);
        }
    }

    @Test
    void anErasureIsAChange() {
        add(one, "erased", "ann", "👍");
        try (var stream = watch(one, List.of("erased"))) {
            assertThat(
                            other.send(
                                            "DELETE",
                                            "/entities?namespace_id=posts&entity_id=erased",
                                            null)
                                    .status())
                    .isIn(200, 202);
            stream.awaitCount("erased", "👍", 0);
            assertThat(stream.violations()).isEmpty();
        }
    }

    @Test
    void aSilentStreamHasHeartbeats() {
        try (var stream = watch(one, List.of("silent"))) {
            Wait.until("two comments", () -> stream.comments() >= 2);
        }
    }

    @Test
    void malformedRequestsAreRefused() {
        String path = "/reactions/stream?namespace_id=posts";
        assertThat(one.get(path).status()).isEqualTo(400);
        assertThat(one.get(path + "&entity_id=").status()).isEqualTo(400);
        assertThat(one.get("/reactions/stream?namespace_id=none&entity_id=a").status())
                .isEqualTo(404);
        String many = "&entity_id=e".repeat(201);
        assertThat(one.get(path + many).status()).isEqualTo(400);
        assertThat(one.send("HEAD", path + "&entity_id=a", null).status()).isEqualTo(200);
    }

    @Test
    void aStopEndsStreamsWithAHint() {
        var third = stage.start(Patience.LONG);
        try (var stream = watch(third, List.of("stop"))) {
            third.close();
            Wait.until("the stream has ended", stream::isEnded);
            var bye = stream.events().getLast();
            assertThat(bye.name()).isEqualTo("bye");
            assertThat(Integer.parseInt(bye.retry())).isBetween(500, 3000);
            assertThat(bye.json().at("/reason").asString()).isEqualTo("shutdown");
        }
    }
}
