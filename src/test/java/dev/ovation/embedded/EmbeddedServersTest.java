package dev.ovation.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Signal;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The embedded servers of real JVMs, for every way in which a JVM can end. */
@Beside
@Order(1)
@Tag("embedded")
class EmbeddedServersTest {

    /** One folder for all tests: each start after the first is a restart. */
    @TempDir static Path folder;

    private static final KeptChild CHILD = new KeptChild();

    @AfterAll
    static void stop() {
        CHILD.close();
    }

    @Test
    void postgresKeepsItsDataOverARestartAndRedisStartsEmpty() throws Exception {
        try (var first = CHILD.running(folder)) {
            first.sql("create table kept (number int)", "insert into kept values (377)");
            first.setAndCountKeys("a");
            first.setAndCountKeys("b");
        }
        var second = CHILD.startNext(folder);
        assertThat(second.sql("select number from kept")).isEqualTo("377");
        assertThat(second.setAndCountKeys("c")).isEqualTo(1);
    }

    @Nested
    class WhileItRuns {

        private static Child child;

        @BeforeAll
        static void start() throws IOException {
            child = CHILD.running(folder);
        }

        @Test
        void anAcknowledgedCommitIsOnDisk() throws Exception {
            assertThat(child.sql("show fsync")).isEqualTo("on");
            assertThat(child.sql("show synchronous_commit")).isEqualTo("on");
        }

        @Test
        void bothServersStandInProcessGroupsOfTheirOwn() throws Exception {
            assertThat(List.of(group(child.postgres()), group(child.redis())))
                    .doesNotContain(group(child.handle()), group(ProcessHandle.current()));
        }

        @Test
        void aSecondRunOnTheSameFolderIsRefusedInOneSentence() throws Exception {
            var second = Child.launch(folder);

            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.output())
                    .contains(
                            "Another Ovation (pid %d) runs on the data folder"
                                    .formatted(child.handle().pid()))
                    .doesNotContain("\tat ");
            assertThat(child.sql("select 1")).isEqualTo("1");
        }
    }

    @Test
    void aTerminatedServiceDrainsFirstAndLeavesNoProcess() throws Exception {
        var child = CHILD.running(folder);
        var servers = List.of(child.postgres(), child.redis());

        child.terminate();

        assertThat(child.drained()).as(child.output()).isTrue();
        assertThat(servers).noneMatch(Child::runs);
    }

    @Test
    void theServersOfAKilledRunAreStopped() throws Exception {
        var killed = CHILD.running(folder);
        killed.sql("create table acknowledged ()");
        var leftovers = List.of(killed.postgres(), killed.redis());
        killed.kill();
        assertThat(leftovers).allMatch(Child::runs);

        var next = CHILD.startNext(folder);
        assertThat(leftovers).noneMatch(Child::runs);
        assertThat(next.sql("select count(*) from acknowledged")).isEqualTo("0");
        assertThat(next.setAndCountKeys("a")).isEqualTo(1);
    }

    @Test
    void postgresRecoversWhenItWasKilledToo() throws Exception {
        var killed = CHILD.running(folder);
        killed.sql("create table committed (number int)", "insert into committed values (42)");
        killAll(killed);

        var next = CHILD.startNext(folder);
        assertThat(next.sql("select number from committed")).isEqualTo("42");
    }

    @Test
    void aForeignProcessWithThePidOfAKilledServerIsNotKilled() throws Exception {
        killAll(CHILD.running(folder));
        Process stranger = new ProcessBuilder("sleep", "600").start();
        notePid(folder.resolve("postgres/data/postmaster.pid"), stranger.pid());
        notePid(folder.resolve("redis/redis.pid"), stranger.pid());

        try {
            var next = CHILD.startNext(folder);
            assertThat(next.sql("select 1")).isEqualTo("1");
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void aServerThatStillHoldsTheDataIsNotJoinedByASecondOne() throws Exception {
        var killed = CHILD.running(folder);
        var holders = servers(killed);
        killed.kill();
        try {
            // Postgres ends within a minute of a change of its pid file, unless it is stopped.
            Signal.send("STOP", holders.getFirst().pid());
            Path noted = folder.resolve("postgres/data/postmaster.pid");
            notePid(noted, ProcessHandle.current().pid());

            var next = Child.launch(folder);
            assertThat(next.exitCode()).isEqualTo(1);
            assertThat(next.output()).contains("The embedded Postgres did not start (");
            assertThat(holders.getFirst()).matches(Child::runs);
        } finally {
            kill(holders);
        }
    }

    @Test
    void aFirstStartThatWasKilledHalfWayDoesNotHinderTheNext(@TempDir Path temporary)
            throws Exception {
        Path fresh = temporary.resolve("a folder");
        for (String half : List.of("bin/postgres.unfinished", "postgres/data.unfinished")) {
            Files.writeString(Files.createDirectories(fresh.resolve(half)).resolve("half"), "");
        }
        try (var child = Child.start(fresh)) {
            assertThat(child.sql("select 1")).isEqualTo("1");
        }
    }

    private static void killAll(Child child) throws IOException {
        var servers = servers(child);
        child.kill();
        kill(servers);
    }

    /** The postmaster, Redis, and the postmaster's children, which outlive its SIGKILL a little. */
    private static List<ProcessHandle> servers(Child child) throws IOException {
        var servers = new ArrayList<>(List.of(child.postgres(), child.redis()));
        servers.addAll(child.postgres().descendants().toList());
        return servers;
    }

    /**
     * A child that the postmaster has forked since ends by itself, and holds the data until then.
     */
    private static void kill(List<ProcessHandle> processes) throws IOException {
        processes.forEach(ProcessHandle::destroyForcibly);
        Path executables = folder.toRealPath();
        Wait.until(
                "all processes have ended",
                () ->
                        ProcessHandle.allProcesses()
                                .map(each -> each.info().command().orElse("/"))
                                .noneMatch(command -> Path.of(command).startsWith(executables)));
    }

    private static void notePid(Path file, long pid) throws IOException {
        var lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(0, "" + pid);
        Files.write(file, lines);
    }

    private static String group(ProcessHandle process) throws IOException {
        var ps = new ProcessBuilder("ps", "-o", "pgid=", "-p", "" + process.pid()).start();
        String group = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(group).isNotBlank();
        return group.strip();
    }
}
