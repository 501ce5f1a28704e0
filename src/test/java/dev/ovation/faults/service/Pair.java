package dev.ovation.faults.service;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.SharedFixtures;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.TestFailpoints;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Two instances on one Redis and one database, for all test classes with this extension: faults can
 * affect {@link #one} at every failpoint and on every link, {@link #other} has none. Each test uses
 * entities of its own and leaves both able to write. After each test all data must be consistent.
 */
final class Pair implements BeforeAllCallback, AfterEachCallback {

    /** User reactions above which both load an entity partially. */
    static final int CROWD = 16;

    private static Servers servers;

    @Override
    public void beforeAll(ExtensionContext context) {
        servers = SharedFixtures.of(context, Pair.class, Servers.class, Servers::new);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        servers.redisLink.mend();
        servers.postgresLink.mend();
        servers.clientLink.mend();
        servers.failpoints.clear();
        servers.failpointsOfTheOther.clear();
        stage().release();
        one().attached();
        other().attached();
        stage().assertSound();
    }

    static Stage stage() {
        return servers.stage;
    }

    /** The instance with faults; its leases are long, so that others must take them from it. */
    static Instance one() {
        return servers.one;
    }

    /** The instance without faults. */
    static Instance other() {
        return servers.other;
    }

    /**
     * Starts a third instance, without faults, which waits at most half a second for a lease; the
     * test closes it. Its look-ups have the same limit, so that it refuses some requests on a slow
     * machine.
     */
    static Instance startHasty() {
        return stage().start(Servers.settings("ovation.internal.hot.lease=500ms"));
    }

    /** The failpoints of {@link #one}. */
    static TestFailpoints failpoints() {
        return servers.failpoints;
    }

    /** The failpoints of {@link #other}, only to delay it. */
    static TestFailpoints failpointsOfTheOther() {
        return servers.failpointsOfTheOther;
    }

    /** The link between {@link #one} and Redis. */
    static TcpProxy redisLink() {
        return servers.redisLink;
    }

    /** The link between {@link #one} and Postgres. */
    static TcpProxy postgresLink() {
        return servers.postgresLink;
    }

    /** An optional link between clients and {@link #one}. */
    static TcpProxy clientLink() {
        return servers.clientLink;
    }

    /**
     * Repeats a request while it is refused without a change. On a slow machine a user may not be
     * looked up within the short lease of {@link #startHasty}, and a broken link may not be
     * restored yet.
     */
    static Answer unrefused(Supplier<Answer> request) {
        var answer = new AtomicReference<Answer>();
        Wait.until(
                "it is not refused",
                () -> {
                    answer.set(request.get());
                    return !Crowd.code(answer.get()).equals("unavailable");
                });
        return answer.get();
    }

    /** Number of changes of an entity's state, according to Postgres. */
    static long version(String entity) {
        return stage().rows("select version from entity where entity = ?", entity).stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static final class Servers implements AutoCloseable {
        private final Stage stage = Stage.open();
        private final TestFailpoints failpoints = new TestFailpoints();
        private final TestFailpoints failpointsOfTheOther = new TestFailpoints();
        private final TcpProxy redisLink = TcpProxy.before(stage.redisProcess.uri());
        private final TcpProxy postgresLink = TcpProxy.before(stage.url);
        private final Instance one =
                Instance.start(
                        failpoints,
                        postgresLink.through(stage.url),
                        redisLink.through(stage.redisProcess.uri()),
                        Stage.CONFIG,
                        settings(
                                "ovation.internal.hot.lease=60s",
                                "spring.datasource.hikari.connection-timeout=10000",
                                Stage.transactionTimeout("15s"),
                                "spring.datasource.hikari.data-source-properties.socketTimeout=20",
                                Stage.LOCKS_END,
                                "ovation.internal.hot.in-flight-ttl=100ms",
                                "ovation.audit.rate=0"));
        private final Instance other =
                Instance.start(
                                failpointsOfTheOther,
                                stage.url,
                                stage.redisProcess.uri(),
                                Stage.CONFIG,
                                settings(
                                        "ovation.internal.hot.lease=10s",
                                        "spring.datasource.hikari.connection-timeout=60000"))
                        .attached();
        private final TcpProxy clientLink = TcpProxy.before("127.0.0.1", one.attached().port());

        private static String[] settings(String... more) {
            return Stage.settings(
                    Stage.settings(
                            Stage.PATIENT,
                            "ovation.internal.hot.complete-limit=" + CROWD,
                            "ovation.internal.hot.fill-filters=false"),
                    more);
        }

        @Override
        public void close() {
            clientLink.close();
            one.close();
            other.close();
            stage.close();
            redisLink.close();
            postgresLink.close();
        }
    }
}
