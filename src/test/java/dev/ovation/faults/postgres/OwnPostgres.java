package dev.ovation.faults.postgres;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.SharedFixtures;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Postgres of its own, a stage on it, and an instance that reaches it through the stage's proxy.
 * They are started once for all test classes with this extension. Each test uses entities of its
 * own and leaves Postgres available.
 */
final class OwnPostgres implements BeforeAllCallback {

    /**
     * Redis is up in all of these tests: a machine that hangs must not look like a failure of
     * Redis.
     */
    private static final String REDIS_PATIENCE = "ovation.internal.hot.command-timeout=10s";

    private static Servers servers;

    @Override
    public void beforeAll(ExtensionContext context) {
        servers = SharedFixtures.of(context, OwnPostgres.class, Servers.class, Servers::new);
    }

    static PostgresProcess postgres() {
        return servers.postgres;
    }

    static Stage stage() {
        return servers.stage;
    }

    /** Instance that waits four seconds for a commit, then its answer is "unknown". */
    static Instance service() {
        return servers.service;
    }

    /**
     * Starts a further instance behind the same proxy, which waits for commits without a practical
     * limit; the test closes it.
     */
    static Instance patient() {
        return stage().launchBehindProxy(Stage.PATIENT_WITH_REDIS).attached();
    }

    private static final class Servers implements AutoCloseable {
        private final PostgresProcess postgres = PostgresProcess.start("restart_after_crash=on");
        private final Stage stage = Stage.openOn(postgres);
        private final Instance service =
                stage.launchBehindProxy("ovation.requests.deadline=4s", REDIS_PATIENCE).attached();

        @Override
        public void close() {
            stage.close();
            postgres.close();
        }
    }
}
