package dev.ovation.faults.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.SharedFixtures;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.TestFailpoints;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A service whose line to Redis can be cut, silenced, or redirected to another server. It is
 * started once for all test classes with this extension. Each test uses entities of its own. After
 * each test the line leads to the Redis of the stage again, and all data must be consistent.
 */
final class Line implements BeforeAllCallback, AfterEachCallback {

    private static Parts parts;

    @Override
    public void beforeAll(ExtensionContext context) {
        parts = SharedFixtures.of(context, Line.class, Parts.class, Parts::new);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        proxy().mend();
        if (!on(stage())) {
            leadTo(stage());
        }
        await(stage());
        stage().assertSound();
    }

    /** The database, and the Redis to which the line leads at first. */
    static Stage stage() {
        return parts.stage;
    }

    static Instance service() {
        return parts.service;
    }

    static TestFailpoints failpoints() {
        return parts.failpoints;
    }

    static TcpProxy proxy() {
        return parts.proxy;
    }

    /** Asserts that this many users like an entity of {@link Stage#POSTS}, in rows and answers. */
    static void assertCounted(String entity, long count) {
        stage().awaitDrained();
        assertThat(stage().count(Stage.POSTS, entity, "👍")).isEqualTo(count);
        assertThat(Stage.counts(service().read(Stage.POSTS, entity, null)))
                .containsEntry("👍", count);
    }

    /** Redirects to the Redis of another stage, and waits until the service writes there. */
    static void leadTo(Stage other) {
        proxy().leadTo("127.0.0.1", other.redisProcess.port());
        await(other);
    }

    /** Waits until the service uses the current Redis of this stage, and writes there. */
    static void await(Stage stage) {
        Wait.until("the service is attached to this Redis", () -> on(stage));
    }

    private static boolean on(Stage stage) {
        var parts = service().get("/actuator/health").json().at("/components");
        String incarnation = parts.at("/redis/details/incarnation").asString("none");
        return stage.redis().info("replication").contains("master_replid:" + incarnation)
                && parts.at("/relay/status").asString("").equals("UP");
    }

    private static final class Parts implements AutoCloseable {
        private final Stage stage = Stage.open();
        private final TcpProxy proxy = TcpProxy.before(stage.redisProcess.uri());
        private final TestFailpoints failpoints = new TestFailpoints();
        private final Instance service =
                Instance.start(
                                failpoints,
                                stage.url,
                                proxy.through(stage.redisProcess.uri()),
                                Stage.CONFIG,
                                Stage.settings(
                                        Stage.PATIENT,
                                        // Audits would send requests that contain the keys of a
                                        // test.
                                        "ovation.audit.rate=0",
                                        "ovation.internal.hot.lease=10s"))
                        .attached();

        /** The first writes are slow, and may count as unanswered. */
        Parts() {
            Wait.until(
                    "it is warm",
                    () ->
                            service.add(Stage.NOTES, "warm", "ann", "👍", "if_exists=ok").status()
                                    == 200);
        }

        @Override
        public void close() {
            service.close();
            proxy.close();
            stage.close();
        }
    }
}
