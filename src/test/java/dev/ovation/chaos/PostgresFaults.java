package dev.ovation.chaos;

import dev.ovation.chaos.Fault.Part;

import java.sql.SQLException;
import java.util.List;

/**
 * Faults of Postgres. No fault restores an older state of it, because that loses commits by
 * definition.
 */
final class PostgresFaults {

    private static final String TERMINATE =
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where  backend_type = 'client backend' and pid <> pg_backend_pid()
            """;

    private PostgresFaults() {}

    static List<Fault> all() {
        return List.of(
                fault("Postgres killed", PostgresFaults::killed),
                fault("Postgres paused", PostgresFaults::paused),
                fault("Postgres read-only", PostgresFaults::readOnly),
                fault("Postgres: connections terminated", PostgresFaults::terminated),
                fault(
                        "Postgres: partitions locked",
                        (bench, random) ->
                                locked(
                                        bench,
                                        random,
                                        "select 1 from partition where p % 3 = 0 for update")),
                fault(
                        "Postgres: entities locked",
                        (bench, random) ->
                                locked(
                                        bench,
                                        random,
                                        "select 1 from entity where entity like 'hot%' for update")));
    }

    private static Fault fault(String kind, Fault.Action action) {
        return new Fault(kind, Part.POSTGRES, action);
    }

    private static void killed(Bench bench, Chance random) throws Exception {
        bench.postgres().kill();
        random.last(0, 2500);
        bench.postgres().restart();
    }

    private static void paused(Bench bench, Chance random) throws Exception {
        bench.postgres().pause();
        random.last(500, 6000);
        bench.postgres().resume();
    }

    private static void readOnly(Bench bench, Chance random) throws Exception {
        readOnly(bench, "on");
        random.last(500, 3000);
        readOnly(bench, "off");
    }

    private static void readOnly(Bench bench, String value) throws SQLException {
        execute(
                bench,
                "alter system set default_transaction_read_only = " + value,
                "select pg_reload_conf()",
                TERMINATE);
    }

    private static void terminated(Bench bench, Chance random) throws Exception {
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            execute(bench, TERMINATE);
            random.last(0, 200);
        }
    }

    private static void locked(Bench bench, Chance random, String statement) throws Exception {
        try (var _ = Lock.of(bench, statement)) {
            random.last(500, 5000);
        }
    }

    private static void execute(Bench bench, String... statements) throws SQLException {
        try (var connection = bench.connect();
                var statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }
}
