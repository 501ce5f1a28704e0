package dev.ovation.faults.postgres;

import static dev.ovation.faults.postgres.Answers.assertShown;
import static dev.ovation.faults.postgres.Answers.awaitTaken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.NamedTables;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of Postgres cannot grow any more. */
@Beside
@Tag("embedded")
@ExtendWith(OwnPostgres.class)
class FullPostgresTest {

    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final long NO_LIMIT = -1;

    private final PostgresProcess postgres = OwnPostgres.postgres();
    private final Stage stage = OwnPostgres.stage();
    private final Instance service = OwnPostgres.service();

    @AfterEach
    void allIsSound() {
        stage.assertSound();
    }

    @Test
    void outOfFileSpaceWritesEndWith503AndAfterwardsNothingIsLost(TestInfo test) throws Exception {
        assumeTrue(Files.isExecutable(PRLIMIT));
        String entity = test.getDisplayName();
        long rejected = rejected(); // by earlier tests
        awaitTaken(service, entity, "ann");
        stage.awaitDrained();
        fill();
        try (var writers = new Writers(service, entity)) {
            writers.awaitSome();
            limit(largestFile());
            Wait.until("a write has failed", () -> writers.failures() > 0);
            assertShown(service, entity, "ann", "👍");
            limit(NO_LIMIT);
            writers.awaitSome();
            writers.stop();
            writers.assertNothingIsLost(stage);
        } finally {
            limit(NO_LIMIT);
        }
        awaitTaken(service, entity, "ben");
        assertThat(rejected()).isEqualTo(rejected);
    }

    private long rejected() {
        return stage.rows("select reason from rejected_event").size();
    }

    /**
     * Fills a table beyond the size of a log file, because log files have their full size already.
     */
    private void fill() {
        int rows = 70_000;
        NamedTables.install(stage.sql);
        stage.sql.update(
                """
                insert into named_reaction
                select 'ballast', 'x', lpad(n::text, 200, '0'), '👍', n from generate_series(1, ?) n
                """,
                rows);
        stage.sql.update(
                "insert into named_counter values ('ballast', 'x', '👍', ?, 1, ?)", rows, rows);
        stage.sql.execute("select count_people()");
    }

    private long largestFile() {
        long size =
                stage.sql.queryForObject(
                        """
                        select max(pg_relation_size(oid)) from pg_class
                        where  relname like 'user\\_reaction%'
                        """,
                        Long.class);
        assertThat(size).isGreaterThan(16L << 20);
        return size;
    }

    /**
     * Limits all processes. The postmaster, which comes first, passes the limit on to processes
     * that it starts later.
     */
    private void limit(long bytes) throws IOException, InterruptedException {
        limit(bytes, postgres.pids().subList(0, 1));
        limit(bytes, postgres.pids());
    }

    private static void limit(long bytes, List<Long> pids)
            throws IOException, InterruptedException {
        String limit = bytes == NO_LIMIT ? "unlimited" : "" + bytes;
        for (long pid : pids) {
            new ProcessBuilder(PRLIMIT.toString(), "--pid=" + pid, "--fsize=" + limit + ":")
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }
}
