package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** Redis runs and does not answer: reads use Postgres, writes end, and the service recovers. */
@Beside
class RedisHangsTest {

    private static final String TIME_LIMIT = "lua-time-limit";

    /** Milliseconds of silence: two checks, and as long again on a slow machine. */
    private static final String BEYOND_TWO_CHECKS = "25000";

    private static Stage stage;
    private static TcpProxy line;
    private static Instance service;

    /** A check of Redis may take 5 s, and writes are sent until two checks have failed. */
    @BeforeAll
    static void start() {
        stage = Stage.open();
        line = TcpProxy.before(stage.redisProcess.uri());
        service =
                Instance.start(
                                stage.url,
                                line.through(stage.redisProcess.uri()),
                                Stage.CONFIG,
                                Stage.settings(
                                        Stage.PATIENT, "ovation.internal.hot.command-timeout=5s"))
                        .attached();
    }

    @AfterAll
    static void stop() {
        try (var _ = stage;
                var _ = line) {
            service.close();
        }
    }

    @AfterEach
    void allIsSound() {
        service.attached();
        stage.assertSound();
    }

    @Test
    @Tag("embedded")
    void redisHungBySigstop() {
        hang("stopped", stage.redisProcess::pause, stage.redisProcess::resume);
    }

    @Test
    void redisBehindABlackHole() {
        hang("silent", line::blackHole, line::mend);
    }

    /** Ends within the time limit of scripts, before which Redis answers no client. */
    @Test
    void aScriptThatKeepsRedisBusyLeavesWritesUnansweredAndThemUnknown() {
        try (var other = new OtherClient()) {
            hang(
                    "busy for a while",
                    () -> {
                        stage.redis().configSet(TIME_LIMIT, BEYOND_TWO_CHECKS);
                        other.loop();
                        other.awaitSilence();
                    },
                    RedisHangsTest::endScript);
        }
    }

    @Test
    void aScriptThatKeepsRedisBusyForLongIsAnsweredBusyAndWritesAreRefused() {
        write("busy", "ann");
        stage.awaitDrained();
        stage.redis().configSet(TIME_LIMIT, "50");
        try (var other = new OtherClient()) {
            other.loop();
            Wait.until("others are answered BUSY", RedisHangsTest::isBusy);
            var ben = service.add(POSTS, "busy", "ben", "👍");
            var read = service.read(POSTS, "busy", "ann");

            assertThat(Crowd.code(ben)).isEqualTo("unavailable");
            assertThat(Stage.own(read)).containsExactly("👍");
        } finally {
            endScript();
        }
        service.attached();
        assertThat(stage.stored(POSTS, "busy", "ben")).isEmpty();
        write("busy", "ben");
    }

    /** The first write was sent and may be applied; later writes are not sent. */
    private static void hang(String entity, Runnable hang, Runnable goOn) {
        write(entity, "ann");
        stage.awaitDrained();
        try {
            hang.run();
            Answer sent = service.add(POSTS, entity, "ben", "👍");
            assertThat(Crowd.code(sent)).isEqualTo("outcome-unknown");
            assertThat(Stage.own(service.read(POSTS, entity, "ann"))).containsExactly("👍");
            Wait.until("Redis counts as down", RedisHangsTest::isDown);
            Answer refused = service.add(POSTS, entity, "cat", "👍");
            Answer read = service.read(POSTS, entity, "ann");

            assertThat(Crowd.code(refused)).isEqualTo("unavailable");
            assertThat(Stage.own(read)).containsExactly("👍");
        } finally {
            goOn.run();
        }
        service.attached();
        assertThat(stage.stored(POSTS, entity, "cat")).isEmpty();
        write(entity, "ben");
        assertThat(Stage.counts(service.read(POSTS, entity, null))).isEqualTo(Map.of("👍", 2L));
    }

    /** Retries until it is acknowledged: on a slow machine it may exceed the command time-out. */
    private static void write(String entity, String user) {
        Wait.until(
                "the change is acknowledged",
                () -> service.add(POSTS, entity, user, "👍", "if_exists=ok").status() == 200);
    }

    private static boolean isDown() {
        return service.get("/actuator/health")
                .json()
                .at("/components/redis/status")
                .asString("")
                .equals("DOWN");
    }

    private static boolean isBusy() {
        try {
            stage.redis().ping();
            return false;
        } catch (RedisBusyException e) {
            return true;
        }
    }

    /**
     * Ends the loop. Redis ignores SCRIPT KILL before the time limit, and answers it before the
     * script has ended; until then it answers other commands with BUSY.
     */
    private static void endScript() {
        Wait.until(
                "no script runs",
                () -> {
                    try {
                        stage.redis().scriptKill();
                        return false;
                    } catch (RedisCommandExecutionException e) {
                        return e.getMessage().startsWith("NOTBUSY");
                    }
                });
        stage.redis().configSet(TIME_LIMIT, "5000");
    }

    /** A client that sends disruptive commands. */
    private static final class OtherClient implements AutoCloseable {
        private final RedisClient client = RedisClient.create(stage.redisProcess.uri());
        private final StatefulRedisConnection<String, String> connection = client.connect();
        private final StatefulRedisConnection<String, String> asking = client.connect();

        /** Occupies the server without end. */
        void loop() {
            var _ = connection.async().eval("while true do end", ScriptOutputType.STATUS);
        }

        /**
         * Waits until the server answers no client: it starts a loop some time after it was sent.
         */
        void awaitSilence() {
            asking.setTimeout(Duration.ofSeconds(1));
            Wait.until("no client is answered", () -> !isAnswered());
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
