package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.Ovation;
import dev.ovation.testing.Beside;
import dev.ovation.testing.ChildJvm;
import dev.ovation.testing.PgBouncer;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The service behind PgBouncer in transaction mode, under the load of the nemesis: on machines that
 * have PgBouncer; {@code ./mvnw verify -Ppgbouncer -Dpgbouncer.seconds=20} demands it.
 */
@Tag("embedded")
@Beside
@Order(1)
@EnabledIf("isPossible")
class PoolerTest {

    /** All sessions but those of the migration and of the load's audit are pooled. */
    private static final String REMAINS =
            """
            select name || ' is ' || setting
            from   pg_settings
            where  setting is distinct from reset_val
            and    name in ('default_transaction_isolation', 'default_transaction_read_only',
                            'lock_timeout', 'statement_timeout', 'search_path')
            union all
            select 'advisory lock ' || objid from pg_locks
            where  locktype = 'advisory' and pid = pg_backend_pid()
            """;

    private final long seed = Seed.from("pgbouncer.seed", System.nanoTime());
    private final Duration each = Duration.ofSeconds(Long.getLong("pgbouncer.seconds", 5));

    static boolean isPossible() {
        return PgBouncer.isInstalled() || Boolean.getBoolean("pgbouncer.demanded");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // beyond the waits of a busy machine
    void fewSessionsServeManyConnectionsWithoutALoss() throws Exception {
        System.out.println("Pooler of seed " + seed);
        try (var bench = new PooledBench(each.multipliedBy(2));
                var load = new CheckedLoad(bench, seed)) {
            load.start();
            Thread.sleep(each);

            bench.services().getLast().pause();
            Thread.sleep(Duration.ofSeconds(4)); // longer than the time-outs of the role
            bench.services().getLast().resume();
            load.awaitWell("instance paused");
            Thread.sleep(each);

            bench.pooler().kill();
            bench.pooler().start();
            load.awaitWell("the pooler was killed");
            Thread.sleep(each);

            load.judge();
            assertThat(remains(bench.pooler(), PooledBench.ROLE, PooledBench.SESSIONS)).isEmpty();
            assertThat(bench.services())
                    .allSatisfy(
                            service ->
                                    assertThat(service.output())
                                            .doesNotContain("does not end idle transactions"));
        }
    }

    @Test
    void aMigrationThroughThePoolerIsRefused() {
        try (var postgres = PostgresProcess.start();
                var pooler = PgBouncer.before(postgres, "postgres", 1)) {
            var migration = migrate(pooler.url("postgres"));
            assertThat(migration.exitCode()).as(migration.output()).isPositive();
            assertThat(migration.output()).contains("SPRING_FLYWAY_URL");
        }
    }

    @Test
    void aMigratedSchemaIsAcceptedThroughThePoolerWhoseSessionStaysAsItWas() throws Exception {
        try (var postgres = PostgresProcess.start();
                var pooler = PgBouncer.before(postgres, "postgres", 1)) {
            var first = migrate(postgres.url());
            assertThat(first.exitCode()).as(first.output()).isZero();

            var second = migrate(pooler.url("postgres"));

            assertThat(second.exitCode()).as(second.output()).isZero();
            assertThat(remains(pooler, "postgres", 1)).isEmpty();
        }
    }

    private static ChildJvm migrate(String url) {
        return ChildJvm.startQuickly(
                Ovation.class,
                List.of("-Dspring.datasource.url=" + url, "-Dspring.datasource.username=postgres"),
                List.of("migrate"));
    }

    /**
     * Settings and locks that transactions have left in the sessions. Each transaction of the test
     * has another session, and all together have all.
     */
    private static List<String> remains(PgBouncer pooler, String role, int sessions)
            throws SQLException {
        var connections = new ArrayList<Connection>();
        var remains = new ArrayList<String>();
        try {
            for (int i = 0; i < sessions; i++) {
                var connection = DriverManager.getConnection(pooler.url("postgres"), role, "");
                connections.add(connection);
                connection.setAutoCommit(false);
                try (var statement = connection.createStatement();
                        var found = statement.executeQuery(REMAINS)) {
                    while (found.next()) {
                        remains.add(found.getString(1));
                    }
                }
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
        return remains;
    }
}
