package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Parts;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.Map;

/** Redis is there and does not answer: reads go to Postgres, writes end, and all comes back. */
@Beside
@ExtendWith(Line.class)
class RedisHangsTest {

    @Test
    @Tag("embedded")
    void redisHungBySigstop() {
        hang("stopped", Line.stage().redisProcess::pause, Line.stage().redisProcess::resume);
    }

    @Test
    void redisBehindABlackHole() {
        hang("silent", Line.proxy()::blackHole, Line.proxy()::mend);
    }

    @Test
    void aScriptThatKeepsRedisBusyLeavesWritesUnansweredAndThemUnknown() {
        try (var other = new OtherClient()) {
            hang(
                    "busy for a while",
                    () -> {
                        other.loop("redis.call('TIME')[1] + 0 < ARGV[1] + 0", seconds() + 9);
                        other.awaitSilence();
                    },
                    () -> {});
        }
    }

    @Test
    void aScriptThatKeepsRedisBusyForLongIsAnsweredBusyAndWritesAreRefused() {
        var redis = Line.stage().redis();
        Line.service().add(POSTS, "busy", "ann", "👍");
        Line.stage().awaitDrained();
        redis.configSet("lua-time-limit", "50");
        try (var other = new OtherClient()) {
            other.loop("true", 0);
            Wait.until("others are answered BUSY", RedisHangsTest::isBusy);
            var ben = Line.service().add(POSTS, "busy", "ben", "👍");
            var read = Line.service().read(POSTS, "busy", "ann");
            redis.scriptKill();

            assertThat(Crowd.code(ben)).isEqualTo("unavailable");
            assertThat(Stage.own(read)).containsExactly("👍");
        } finally {
            redis.configSet("lua-time-limit", "5000");
        }
        Line.await(Line.stage());
        assertThat(Line.stage().stored(POSTS, "busy", "ben")).isEmpty();
        Parts.awaitAccepted(() -> Line.service().add(POSTS, "busy", "ben", "👍"));
    }

    /** The first write was sent, and may come through; the next ones are not. */
    private static void hang(String entity, Runnable hang, Runnable goOn) {
        var service = Line.service();
        var stage = Line.stage();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        hang.run();
        Answer sent = service.add(POSTS, entity, "ben", "👍");
        assertThat(Crowd.code(sent)).isEqualTo("outcome-unknown");
        assertThat(Stage.own(service.read(POSTS, entity, "ann"))).containsExactly("👍");
        Wait.until("it is called down", () -> isDown("/components/redis"));
        Answer refused = service.add(POSTS, entity, "cat", "👍");
        Answer read = service.read(POSTS, entity, "ann");
        goOn.run();

        assertThat(Crowd.code(refused)).isEqualTo("unavailable");
        assertThat(Stage.own(read)).containsExactly("👍");
        Line.await(stage);
        assertThat(stage.stored(POSTS, entity, "cat")).isEmpty();
        Parts.awaitAccepted(() -> service.add(POSTS, entity, "ben", "👍", "if_exists=ok"));
        assertThat(Stage.counts(service.read(POSTS, entity, null))).isEqualTo(Map.of("👍", 2L));
    }

    private static boolean isDown(String pointer) {
        return Line.service()
                .get("/actuator/health")
                .json()
                .at(pointer + "/status")
                .asString("")
                .equals("DOWN");
    }

    private static boolean isBusy() {
        try {
            Line.stage().redis().ping();
            return false;
        } catch (RedisBusyException e) {
            return true;
        }
    }

    private static long seconds() {
        return System.currentTimeMillis() / 1000;
    }

    /** Somebody else, who sends what they should not. */
    private static final class OtherClient implements AutoCloseable {
        private final RedisClient client = RedisClient.create(Line.stage().redisProcess.uri());
        private final StatefulRedisConnection<String, String> connection = client.connect();
        private final StatefulRedisConnection<String, String> asking = client.connect();

        /** Keeps the server busy while a condition holds. */
        void loop(String condition, long argument) {
            var _ =
                    connection
                            .async()
                            .eval(
                                    "while " + condition + " do end",
                                    ScriptOutputType.STATUS,
                                    new String[0],
                                    "" + argument);
        }

        /** Waits until the server answers nobody: a loop is sent some time before it begins. */
        void awaitSilence() {
            asking.setTimeout(Duration.ofMillis(200));
            Wait.until("nobody is answered", () -> !isAnswered());
        }

        private boolean isAnswered() {
            try {
                asking.sync().ping();
                return true;
            } catch (RedisCommandTimeoutException e) {
                return false;
            }
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }
}
