package dev.ovation.hot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.LinkedRedis;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.testing.Beside;
import dev.ovation.testing.RedisCalls;
import dev.ovation.testing.Wait;

import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads sent together, on a real Redis with one partition at epoch 5. */
@Beside
class ReadBatchesTest {

    private static final int MANY = 377;
    private static final HotSettings SETTINGS =
            new HotSettings(
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    4,
                    8,
                    9,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1));

    private LinkedRedis server;
    private RedisCommands<String, String> redis;
    private ReadBatches batches;
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
        IntStream.range(0, MANY).forEach(this::install);
        batches =
                new ReadBatches(
                        server.servers,
                        new ReadScript(SETTINGS, new FilterMetrics(new SimpleMeterRegistry())),
                        new ScriptTimes(new SimpleMeterRegistry()));
        awaitHit(); // and the server has the script
        redis.configResetstat();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void eachCallerGetsItsOwnAnswerAndFewRunsServeThemAll() {
        var replies = IntStream.range(0, MANY).mapToObj(i -> batches.add(item(i, fence))).toList();
        batches.send();

        for (int i = 0; i < MANY; i++) {
            assertThat(replies.get(i).join()).isEqualTo(hit(i));
        }
        assertThat(runs()).isEqualTo(4);
    }

    @Test
    void concurrentReadsAreAnsweredInSharedRuns() throws InterruptedException {
        var threads =
                Stream.generate(() -> Thread.ofVirtual().unstarted(this::readAll))
                        .limit(16)
                        .toList();
        var wrong = new ConcurrentLinkedQueue<Throwable>();
        for (Thread thread : threads) {
            thread.setUncaughtExceptionHandler((_, e) -> wrong.add(e));
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wrong).isEmpty();
        assertThat(runs()).isLessThan(16 * MANY);
    }

    private void readAll() {
        for (int i = 0; i < MANY; i++) {
            var reply = batches.add(item(i, fence));
            batches.send();
            assertThat(reply.join()).isEqualTo(hit(i));
        }
    }

    @Test
    void aFencedReadDoesNotAffectOthers() {
        var fenced = batches.add(item(0, new Fence(4, fence.incarnation())));
        var fine = batches.add(item(1, fence));
        batches.send();

        assertThat(fenced.join()).isEqualTo(new ReadScript.Reply.Fenced());
        assertThat(fine.join()).isEqualTo(hit(1));
    }

    @Test
    void allFailWhileRedisIsSilentAndSucceedAfterwards() {
        stop();
        // The link is down after two time-outs, and all must be sent before.
        start(Duration.ofSeconds(20));
        server.process.pause();
        var replies = Stream.generate(this::sent).limit(MANY).toList();
        replies.forEach(
                reply ->
                        assertThatExceptionOfType(UnansweredException.class)
                                .isThrownBy(() -> Replies.await(reply)));

        server.process.resume();
        awaitHit();
    }

    @Test
    void whileTheLinkIsDownAllAreRefused() {
        server.link.stop();

        assertThatExceptionOfType(RedisUnavailableException.class)
                .isThrownBy(() -> Replies.await(sent()));
    }

    private void awaitHit() {
        Wait.until("it answers", () -> sent().handle((reply, _) -> hit(0).equals(reply)).join());
    }

    private CompletableFuture<ReadScript.Reply> sent() {
        var reply = batches.add(item(0, fence));
        batches.send();
        return reply;
    }

    private static ReadScript.ReadItem item(int i, Fence fence) {
        return new ReadScript.ReadItem(0, fence, key(i), "ann", "token", "", "op" + i);
    }

    private static ReadScript.Reply hit(int i) {
        return new ReadScript.Reply.KnownState(List.of("reaction" + i));
    }

    private static EntityKey key(int i) {
        return new EntityKey("posts", "e" + i);
    }

    private void install(int i) {
        redis.hset(
                RedisSchema.counts(0, key(i)), Map.of("epoch", "5", "op", "op" + i, "people", "0"));
        String own = "0" + RedisSchema.SEPARATOR + "reaction" + i;
        redis.hset(
                RedisSchema.users(0, key(i)), Map.of("epoch", "5", "complete", "1", "u:ann", own));
    }

    /** Number of executions of the script. */
    private long runs() {
        return RedisCalls.count(redis, "eval(sha)?");
    }
}
