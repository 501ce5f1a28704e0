package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import io.lettuce.core.KillArgs;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

import java.util.List;

/** Commands on their way while Redis pauses writes, which holds them back in order. */
@Beside
class SentOnceTest {

    private static Stage stage;
    private static Instance service;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        service =
                stage.start(
                        Stage.settings(
                                Stage.PATIENT,
                                "ovation.audit.rate=0", // its scripts are held back, too
                                "ovation.internal.hot.command-timeout=60s"));
        // Publishes the rules now, because scripts do that, too.
        assertThat(service.send("POST", "/actuator/refresh", null).status()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    /** Restores the state that each test expects, also after a failure. */
    @AfterEach
    void nothingIsHeldBack() {
        letWritesGo();
    }

    @Test
    void aChangeOnABrokenConnectionIsUnknownAndNotSentAgain(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        holdWritesBack();
        var ben = Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👍"));
        Wait.until("Redis has the change", SentOnceTest::areBothConnectionsHeldBack);
        stage.redis().clientKill(KillArgs.Builder.typeNormal());
        letWritesGo();

        assertThat(Crowd.code(ben.get())).isEqualTo("outcome-unknown");
        service.attached();
        Parts.awaitAccepted(() -> service.add(POSTS, entity, "cat", "👍"));
        stage.assertSound();
        assertThat(stage.stored(POSTS, entity, "ben")).isEmpty();
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(2);
    }

    @Test
    void aRejectedWriteWaitsUntilRedisHasTheAcknowledgement(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        service.add(POSTS, entity, "ann", "👍");
        stage.awaitDrained();
        try (var _ = stage.holdRelays()) {
            stage.sql.update("update entity set last_op = 'import' where entity = ?", entity);
            var ben = Stage.meanwhile(() -> service.add(POSTS, entity, "ben", "👍"));
            stage.awaitProposed(POSTS, entity, 2);
            Wait.until("it waits", () -> oldestWait() > 0);
            holdWritesBack();
            stage.release();
            Wait.until("it is rejected", () -> !rejected(entity).isEmpty());
            long rejectedAt = oldestWait();
            Wait.until("it waits further", () -> oldestWait() > rejectedAt + 500);

            letWritesGo();
            assertThat(ben.get().status()).isEqualTo(200);
        }
        assertThat(rejected(entity)).containsExactly("conflict");
        stage.assertSound();
    }

    private static void holdWritesBack() {
        client(new CommandArgs<>(StringCodec.UTF8).add("PAUSE").add(600_000).add("WRITE"));
    }

    private static void letWritesGo() {
        client(new CommandArgs<>(StringCodec.UTF8).add("UNPAUSE"));
    }

    private static void client(CommandArgs<String, String> arguments) {
        stage.redis().dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), arguments);
    }

    /**
     * Flag b: the client is blocked. The relay reads the progress of outboxes four times a second
     * by a script on a connection of its own, so a second one has the change.
     */
    private static boolean areBothConnectionsHeldBack() {
        return stage.redis()
                        .clientList()
                        .lines()
                        .filter(line -> line.contains("cmd=evalsha"))
                        .filter(line -> line.matches(".* flags=\\w*b.*"))
                        .count()
                == 2;
    }

    private static long oldestWait() {
        return service.get("/actuator/health")
                .json()
                .at("/components/relay/details/oldest_wait_ms")
                .asLong();
    }

    private static List<String> rejected(String entity) {
        return stage.rows(
                "select reason from rejected_event where p = ?", Stage.partition(POSTS, entity));
    }
}
