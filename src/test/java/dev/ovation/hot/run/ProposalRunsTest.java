package dev.ovation.hot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.LinkedRedis;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Fenced;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.OwnEvents;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.testing.Beside;
import dev.ovation.testing.RedisCalls;
import dev.ovation.testing.Wait;

import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Proposals sent together, on a real Redis with one partition at epoch 5. */
@Beside
class ProposalRunsTest {

    private static final int MANY = 377;
    private static final EntityKey POST = new EntityKey("posts", "post");
    private static final HotSettings SETTINGS =
            new HotSettings(
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    10_000,
                    10_000,
                    20_000,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1));

    private LinkedRedis server;
    private RedisCommands<String, String> redis;
    private ProposalRuns runs;
    private final Queue<String> proposed = new ConcurrentLinkedQueue<>();
    private final OwnEvents events =
            (p, epoch, seq, event) -> proposed.add(p + " " + epoch + "-" + seq + " " + event);
    private Fence fence;

    @BeforeEach
    void start() {
        start(Duration.ofSeconds(30));
    }

    /** Starts with a time-out for the link alone. */
    private void start(Duration timeout) {
        server = new LinkedRedis(timeout);
        redis = server.commands;
        fence = server.fence;
        install(POST);
        runs =
                new ProposalRuns(
                        server.servers,
                        new ReactScript(SETTINGS, new FilterMetrics(new SimpleMeterRegistry())),
                        new ScriptTimes(new SimpleMeterRegistry()),
                        events,
                        Failpoints.NONE);
        redis.configResetstat();
    }

    private void install(EntityKey key) {
        redis.hset(
                RedisSchema.counts(0, key),
                Map.of(
                        "epoch", "5", "version", "0", "op", "", "seq", "0", "at", "0", "people",
                        "0"));
        redis.hset(RedisSchema.users(0, key), Map.of("epoch", "5", "complete", "1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aLoneProposalLeavesAtOnceAndOthersShareRunsInOrder() {
        server.process.pause();
        var replies = IntStream.range(0, MANY).mapToObj(n -> send("user " + n)).toList();
        server.process.resume();

        for (int n = 0; n < MANY; n++) {
            assertThat(((Accepted) replies.get(n).join()).seq()).isEqualTo(n + 1);
        }
        assertThat(users()).isEqualTo(IntStream.range(0, MANY).mapToObj(n -> "user " + n).toList());
        // The first proposal alone, because none was in flight; and one run again with the script's
        // text.
        assertThat(runs()).isEqualTo(1 + 1 + (MANY - 2) / ProposalRuns.MOST + 1);
    }

    @Test
    void eventsOfARunAreTakenBeforeTheNextRunLeaves() {
        var missing = new AtomicInteger();
        server.process.pause();
        var replies =
                IntStream.range(0, MANY)
                        .mapToObj(
                                n ->
                                        send("user " + n)
                                                .whenComplete(
                                                        (reply, _) ->
                                                                countMissing(
                                                                        (Accepted) reply, missing)))
                        .toList();
        server.process.resume();
        replies.forEach(CompletableFuture::join);

        assertThat(missing).hasValue(0);
        assertThat(proposed)
                .containsExactlyElementsOf(
                        redis.xrange(RedisSchema.outbox(0), Range.unbounded()).stream()
                                .map(entry -> "0 " + entry.getId() + " " + entry.getBody().get("e"))
                                .toList());
    }

    /** The next run was sent before an answer is returned. */
    private void countMissing(Accepted reply, AtomicInteger missing) {
        if (proposed.stream().noneMatch(one -> one.endsWith(reply.event()))) {
            missing.incrementAndGet();
        }
    }

    @Test
    void proposalsOfManyThreadsGetTheirOwnAnswers() throws InterruptedException {
        var seqs = new ConcurrentLinkedQueue<Long>();
        var wrong = new ConcurrentLinkedQueue<Throwable>();
        var threads =
                IntStream.range(0, 16)
                        .mapToObj(t -> Thread.ofVirtual().unstarted(() -> sendAll(t, seqs)))
                        .toList();
        for (Thread thread : threads) {
            thread.setUncaughtExceptionHandler((_, e) -> wrong.add(e));
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wrong).isEmpty();
        assertThat(new TreeSet<>(seqs))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 16 * MANY).boxed().toList());
        assertThat(runs()).isLessThan(16 * MANY);
    }

    private void sendAll(int thread, ConcurrentLinkedQueue<Long> seqs) {
        for (int n = 0; n < MANY; n++) {
            var reply = (Accepted) send("user " + thread + "-" + n).join();
            assertThat(reply.own()).containsExactly("like");
            assertThat(reply.added()).containsExactly("like");
            var entry = redis.xrange(RedisSchema.outbox(0), at(reply.seq())).getFirst();
            assertThat(user(entry)).isEqualTo("user " + thread + "-" + n);
            seqs.add(reply.seq());
        }
    }

    private static String user(StreamMessage<String, String> entry) {
        return Event.members(entry.getBody()).get("u");
    }

    private static Range<String> at(long seq) {
        return Range.create("5-" + seq, "5-" + seq);
    }

    @Test
    void aFailedProposalDoesNotAffectOthersOfItsRun() {
        var broken = new EntityKey("posts", "broken");
        redis.set(RedisSchema.counts(0, broken), "no hash");
        server.process.pause();
        var first = send("first");
        var fenced = runs.send(item(POST, "ann", new Fence(4, fence.incarnation())));
        var failed = runs.send(item(broken, "ben", fence));
        var fine = send("cat");
        server.process.resume();

        assertThat(((Accepted) first.join()).seq()).isEqualTo(1);
        assertThat(fenced.join()).isEqualTo(new Fenced());
        assertThatExceptionOfType(UnansweredException.class)
                .isThrownBy(() -> Replies.await(failed))
                .havingCause()
                .withMessageContaining("WRONGTYPE");
        assertThat(((Accepted) fine.join()).seq()).isEqualTo(2);
        assertThat(users()).containsExactly("first", "cat");
    }

    @Test
    void aRefusalAtMaxmemoryIsKnownToHaveChangedNothing() {
        redis.configSet("maxmemory", "1");
        server.process.pause();
        var refused = Stream.of("ann", "ben", "cat").map(this::send).toList();
        server.process.resume();

        for (var reply : refused) {
            assertThatExceptionOfType(RedisUnavailableException.class)
                    .isThrownBy(() -> Replies.await(reply))
                    .withMessageContaining("OOM");
        }
        redis.configSet("maxmemory", "0");
        assertThat(users()).isEmpty();
    }

    @Test
    void proposalsBeyondTheTimeOfARunLeadTheNextRun() {
        var large = new EntityKey("posts", "large");
        install(large);
        for (int n = 0; n < 3000; n++) {
            redis.hset(RedisSchema.counts(0, large), "r:" + n, "1\u001f1\u001f1");
        }
        server.process.pause();
        var first = send("first");
        var replies =
                IntStream.range(0, MANY)
                        .mapToObj(n -> runs.send(item(large, "user " + n, fence)))
                        .toList();
        server.process.resume();

        assertThat(((Accepted) first.join()).seq()).isEqualTo(1);
        for (int n = 0; n < MANY; n++) {
            assertThat(((Accepted) replies.get(n).join()).seq()).isEqualTo(n + 2);
        }
        assertThat(runs()).isGreaterThan(MANY);
    }

    @Test
    void aSilentRedisLeavesSentProposalsUnknownAndOthersUndone() {
        stop();
        // The link is down after two time-outs, and all must be sent before.
        start(Duration.ofSeconds(20));
        send("before").join();
        server.process.pause();
        var sent = send("sent");
        var unsent = IntStream.range(0, MANY).mapToObj(n -> send("unsent " + n)).toList();

        assertThatExceptionOfType(UnansweredException.class).isThrownBy(() -> Replies.await(sent));
        for (var reply : unsent) {
            assertThatExceptionOfType(RedisUnavailableException.class)
                    .isThrownBy(() -> Replies.await(reply));
        }

        server.process.resume();
        Wait.until("it answers", () -> send("after").handle((_, e) -> e == null).join());
        var done = new ArrayList<>(users());
        assertThat(done).startsWith("before").contains("after");
        assertThat(done).filteredOn("sent"::equals).hasSizeLessThanOrEqualTo(1);
        assertThat(done).noneMatch(user -> user.startsWith("unsent"));
    }

    @Test
    void whileTheLinkIsDownAllAreRefused() {
        server.link.stop();

        assertThatExceptionOfType(RedisUnavailableException.class)
                .isThrownBy(() -> Replies.await(send("ann")));
    }

    private CompletableFuture<ReactScript.Reply> send(String user) {
        return runs.send(item(POST, user, fence));
    }

    private static ReactScript.ReactItem item(EntityKey key, String user, Fence fence) {
        var proposal =
                new Proposal(
                        UniqueNames.next(),
                        5000,
                        key,
                        user,
                        ChangeKind.ADD,
                        List.of("like"),
                        new Proposal.RuleData(1, List.of(), 6000, List.of("like")),
                        false,
                        true,
                        null,
                        Proposal.Basis.ANY,
                        key != POST,
                        "",
                        "");
        return new ReactScript.ReactItem(0, fence, proposal, "token of " + user, "");
    }

    /** The users of the events in the outbox, in order. */
    private List<String> users() {
        return redis.xrange(RedisSchema.outbox(0), Range.unbounded()).stream()
                .map(ProposalRunsTest::user)
                .toList();
    }

    /** Number of executions of the script, and of calls without the cached script. */
    private long runs() {
        return RedisCalls.count(redis, "eval(sha)?");
    }
}
