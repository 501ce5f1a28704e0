package dev.ovation.faults.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ExporterProcess;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.RedisProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Faults that exporters report: of Redis and Postgres, their replicas, and files of metrics. */
@Alerting
class ServerAlertsTest {

    private static final int SESSIONS = 60;
    private static final int HEADROOM = 300_000;

    /** Of the servers that have started; the last one closes first. */
    private static final Deque<Runnable> CLOSINGS = new ArrayDeque<>();

    @TempDir static Path metrics;
    private static AlertBench bench;
    private static PostgresProcess standby;
    private static RedisProcess replica;
    private static final List<ExporterProcess> SENTINELS = new ArrayList<>();
    private static ExporterProcess ofPostgres;
    private static ExporterProcess ofRedis;
    private static ExporterProcess ofFiles;

    @BeforeAll
    static void start() throws IOException {
        for (String name :
                new String[] {
                    "prometheus-postgres-exporter",
                    "prometheus-redis-exporter",
                    "prometheus-node-exporter",
                    "redis-sentinel"
                }) {
            assertThat(ExporterProcess.isInstalled(name)).as(name).isTrue();
        }
        bench =
                new AlertBench(
                        "wal_keep_size=1GB", "archive_mode=on", "max_connections=" + SESSIONS);
        CLOSINGS.push(bench::close);
        standby =
                bench.postgres.startStandby(
                        "wal_retrieve_retry_interval=100ms", "max_connections=" + SESSIONS);
        CLOSINGS.push(standby::close);
        RedisProcess master = bench.stage.redisProcess;
        replica = replicaOf(master);
        CLOSINGS.push(replica::close);
        ofPostgres = ExporterProcess.of(bench.postgres);
        CLOSINGS.push(ofPostgres::close);
        ofRedis = ExporterProcess.ofRedis();
        CLOSINGS.push(ofRedis::close);
        ofFiles = ExporterProcess.ofFiles(metrics);
        CLOSINGS.push(ofFiles::close);
        write("node_backup_end_seconds", Instant.now());
        write("node_certificate_end_seconds{name=\"service\"}", in(Duration.ofDays(90)));
        var prometheus = bench.prometheus;
        prometheus.watch("postgres", ofPostgres.port());
        prometheus.watch("node", ofFiles.port());
        prometheus.watch("redis", ofRedis.port(), master.uri());
        prometheus.watch("redis", ofRedis.port(), replica.uri());
        for (int i = 0; i < 3; i++) {
            var sentinel = ExporterProcess.sentinelOf(master);
            SENTINELS.add(sentinel);
            CLOSINGS.push(sentinel::close);
            prometheus.watch("sentinel", ofRedis.port(), "redis://127.0.0.1:" + sentinel.port());
        }
        Instance service = bench.stage.start("spring.datasource.hikari.maximum-pool-size=10");
        prometheus.watch(service.port());
        bench.load(service);
    }

    @AfterAll
    static void stop() {
        CLOSINGS.forEach(Runnable::run);
    }

    /** The Sentinels never promote it: a pause of the machine would exchange the servers. */
    private static RedisProcess replicaOf(RedisProcess master) {
        String port = "" + master.port();
        return RedisProcess.start("--replicaof", "127.0.0.1", port, "--replica-priority", "0");
    }

    /** The load brings more entities than fit. */
    @Fires("RedisMemory")
    void aRedisThatIsTooSmall(TestInfo test) throws Exception {
        var redis = bench.stage.redis();
        bench.shows(
                test,
                () -> redis.configSet("maxmemory", "" + (usedMemory() + HEADROOM)),
                () -> redis.configSet("maxmemory", "0"));
    }

    private static long usedMemory() {
        return bench.stage
                .redis()
                .info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.split(":")[1].strip()))
                .sum();
    }

    @Fires({"RedisReplicaMissing", "ServerUnseen"})
    void aLossOfTheReplicaOfRedis(TestInfo test) throws Exception {
        bench.shows(test, replica::kill, replica::restart);
    }

    @Fires("SentinelMissing")
    void aLossOfASentinel(TestInfo test) throws Exception {
        var lost = SENTINELS.getLast();
        bench.shows(test, lost::kill, lost::start);
    }

    @Fires("ServerUnseen")
    void aLossOfAnExporter(TestInfo test) throws Exception {
        bench.shows(test, ofPostgres::kill, ofPostgres::start);
    }

    @Fires("PostgresStandbyMissing")
    void aLossOfTheStandby(TestInfo test) throws Exception {
        bench.shows(test, standby::kill, standby::restart);
    }

    @Fires("PostgresStandbyBehind")
    void aStandbyThatReplaysNothing(TestInfo test) throws Exception {
        bench.shows(
                test,
                () -> {
                    execute(standby, "select pg_wal_replay_pause()");
                    execute(
                            bench.postgres,
                            """
                            create table filler as
                            select repeat(md5(n::text), 40) from generate_series(1, 110000) n
                            """);
                },
                () -> execute(standby, "select pg_wal_replay_resume()"));
    }

    @Fires("PostgresConnectionsFull")
    void manySessions(TestInfo test) throws Exception {
        var sessions = new ArrayList<Connection>();
        bench.shows(
                test,
                () -> {
                    for (int i = 0; i < SESSIONS - 15; i++) {
                        sessions.add(connect(bench.postgres));
                    }
                },
                () -> {
                    for (Connection session : sessions) {
                        session.close();
                    }
                });
    }

    @Fires("ArchiveFailing")
    void anArchiveThatCannotBeWritten(TestInfo test) throws Exception {
        bench.shows(
                test,
                () -> {
                    archiveBy("false");
                    execute(bench.postgres, "select pg_switch_wal()");
                },
                () -> archiveBy("true"));
    }

    private static void archiveBy(String command) throws SQLException {
        execute(bench.postgres, "alter system set archive_command = '" + command + "'");
        execute(bench.postgres, "select pg_reload_conf()");
    }

    /** The script of the backup writes this file. */
    @Fires("BackupOld")
    void aBackupOfThreeDaysAgo(TestInfo test) throws Exception {
        String name = "node_backup_end_seconds";
        bench.shows(
                test, () -> write(name, in(Duration.ofDays(-3))), () -> write(name, Instant.now()));
    }

    /** The script that makes certificates writes this file. */
    @Fires("CertificateEnds")
    void aCertificateOfTwoMoreWeeks(TestInfo test) throws Exception {
        String name = "node_certificate_end_seconds{name=\"service\"}";
        bench.shows(
                test,
                () -> write(name, in(Duration.ofDays(14))),
                () -> write(name, in(Duration.ofDays(90))));
    }

    private static Instant in(Duration time) {
        return Instant.now().plus(time);
    }

    private static void write(String metric, Instant time) throws IOException {
        Path file = metrics.resolve(metric.replaceFirst("\\W.*", "") + ".prom");
        Files.writeString(file, metric + " " + time.getEpochSecond() + "\n");
    }

    private static Connection connect(PostgresProcess server) throws SQLException {
        return DriverManager.getConnection(server.url(), "postgres", "postgres");
    }

    private static void execute(PostgresProcess server, String sql) throws SQLException {
        try (var connection = connect(server);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
