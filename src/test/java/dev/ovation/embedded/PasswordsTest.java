package dev.ovation.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The embedded servers refuse connections without their passwords. */
@Beside
@Order(1)
@Tag("embedded")
class PasswordsTest {

    private static final String TRUSTED = "trusted every user of this machine";

    /** SQLSTATE of a wrong password. */
    private static final String REFUSED = "28P01";

    @TempDir static Path folder;

    private static final KeptChild CHILD = new KeptChild();

    @AfterAll
    static void stop() {
        CHILD.close();
    }

    @Test
    void bothServersAskForRandomPasswordsThatOnlyTheirUserCanRead() throws Exception {
        var child = CHILD.running(folder);
        assertClosed(child);
        assertThat(child.password("postgres")).hasSize(43);
        assertThat(child.password("redis")).hasSize(43).isNotEqualTo(child.password("postgres"));
        for (String file : List.of("postgres/password", "redis/password", "redis/redis.conf")) {
            assertThat(PosixFilePermissions.toString(mode(file))).as(file).isEqualTo("rw-------");
        }
        assertUnseen(child);
    }

    /** Neither a command line nor an output contains a password. */
    private static void assertUnseen(Child child) throws IOException {
        for (String server : List.of("postgres", "redis")) {
            String password = child.password(server);
            assertThat(child.output()).doesNotContain(password);
            assertThat(ProcessHandle.allProcesses().flatMap(PasswordsTest::commandLine))
                    .isNotEmpty()
                    .noneMatch(line -> line.contains(password));
        }
    }

    private static Stream<String> commandLine(ProcessHandle process) {
        return process.info().commandLine().stream();
    }

    /** The password also applies if the start that introduced it was killed before its end. */
    @Test
    void dataOfAnEarlierReleaseAskForAPasswordFromTheNextStartOn() throws Exception {
        String first;
        try (var child = CHILD.running(folder)) {
            child.sql("create table if not exists earlier (number int)");
            child.sql("truncate earlier", "insert into earlier values (377)");
            first = child.password("postgres");
        }
        try (var child = Child.start(folder)) {
            assertThat(child.password("postgres")).as("after a restart").isEqualTo(first);
            assertThat(child.sql("select number from earlier")).isEqualTo("377");
            child.sql("alter role postgres password null");
        }
        asEarlierReleasesMadeIt();
        Files.delete(folder.resolve("postgres/password"));
        try (var child = Child.start(folder)) {
            assertThat(child.output()).containsOnlyOnce(TRUSTED);
            Wait.until("the rules are in force", () -> isClosed(child));
            assertThat(child.sql("select number from earlier")).isEqualTo("377");
        }
        asEarlierReleasesMadeIt();
        try (var child = Child.start(folder)) {
            assertThat(child.output()).containsOnlyOnce(TRUSTED);
            Wait.until("the rules are in force", () -> isClosed(child));
        }
        var child = CHILD.startNext(folder);
        assertThat(child.output()).doesNotContain(TRUSTED);
        assertClosed(child);
        assertThat(child.sql("select number from earlier")).isEqualTo("377");
    }

    @Test
    void aPasswordThatIsGoneIsNamed(@TempDir Path kept) throws Exception {
        CHILD.close();
        if (!Files.exists(folder.resolve("postgres/password"))) {
            CHILD.startNext(folder).close();
        }
        Path file = folder.resolve("postgres/password");
        Files.move(file, kept.resolve("password"));
        try {
            var next = Child.launch(folder);

            assertThat(next.exitCode()).isEqualTo(1);
            assertThat(next.output())
                    .contains("the password in " + folder.toRealPath().resolve("postgres/password"))
                    .doesNotContain("\tat ");
        } finally {
            Files.move(kept.resolve("password"), file);
        }
    }

    private static void assertClosed(Child child) throws Exception {
        assertThat(isClosed(child)).isTrue();
        assertThat(child.sql("select 1")).isEqualTo("1");
        for (String address :
                List.of(
                        child.redisUri().replaceFirst(":[^:]*@", ":wrong@"),
                        child.redisUri().replaceFirst("//.*@", "//"))) {
            try (var client = RedisClient.create(address)) {
                assertThatThrownBy(() -> client.connect().sync().ping())
                        .isInstanceOf(RedisException.class);
            }
        }
    }

    private static boolean isClosed(Child child) throws IOException {
        try (var _ = DriverManager.getConnection(child.url(), "postgres", "wrong")) {
            return false;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo(REFUSED);
            return true;
        }
    }

    /** The rules that {@code initdb --auth=trust} writes. */
    private static void asEarlierReleasesMadeIt() throws IOException {
        Path rules = folder.resolve("postgres/data/pg_hba.conf");
        String trusting = Files.readString(rules).replaceAll("(?m)scram-sha-256$", "trust");
        assertThat(trusting).containsPattern("(?m)^host.*127\\.0\\.0\\.1/32 +trust$");
        Files.writeString(rules, trusting);
    }

    private static Set<PosixFilePermission> mode(String file) throws IOException {
        return Files.getPosixFilePermissions(folder.resolve(file));
    }
}
