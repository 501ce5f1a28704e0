package dev.ovation.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.testing.Beside;
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
                    1000,
                    Duration.ofSeconds(1));

    private LinkedRedis server;
    private RedisCommands<String, String> redis;
    private ReadBatches batches;
    private Fence fence;

    @BeforeEach
    void start() {
        start(Duration.ofSeconds(30));
    }

    /** The time-out is that of the link alone. */
    private void start(Duration timeout) {
        server = new LinkedRedis(timeout);
        redis = server.commands;
        fence = server.fence;
        IntStream.range(0, MANY).forEach(this::install);
        batches =
                new ReadBatches(
                        server.link,
                        new ReadScript(SETTINGS),
                        new ScriptTimes(new SimpleMeterRegistry()));
        awaitHit(); // and the server knows the script
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
    void whoComesFromManyThreadsIsServed() throws InterruptedException {
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
    void whoIsFencedHurtsNoOther() {
        var fenced = batches.add(item(0, new Fence(4, fence.incarnation())));
        var fine = batches.add(item(1, fence));
        batches.send();

        assertThat(fenced.join()).isEqualTo(new ReadScript.Reply.Fenced());
        assertThat(fine.join()).isEqualTo(hit(1));
    }

    @Test
    void whileRedisIsSilentAllFailAndThenItGoesOn() {
        stop();
        // The link is down after two time-outs: all have to be sent before.
        start(Duration.ofSeconds(5));
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

    private static ReadScript.Item item(int i, Fence fence) {
        return new ReadScript.Item(0, fence, key(i), "ann", "token", "", "op" + i);
    }

    private static ReadScript.Reply hit(int i) {
        return new ReadScript.Reply.Same(List.of("reaction" + i));
    }

    private static EntityKey key(int i) {
        return new EntityKey("posts", "e" + i);
    }

    private void install(int i) {
        redis.hset(RedisSchema.counts(0, key(i)), Map.of("epoch", "5", "op", "op" + i));
        String own = "0" + RedisSchema.SEPARATOR + "reaction" + i;
        redis.hset(
                RedisSchema.users(0, key(i)), Map.of("epoch", "5", "complete", "1", "u:ann", own));
    }

    /** How often the script ran. */
    private long runs() {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.matches("cmdstat_eval(sha)?:.*"))
                .mapToLong(line -> Long.parseLong(line.split("[=,]")[1]))
                .sum();
    }
}
