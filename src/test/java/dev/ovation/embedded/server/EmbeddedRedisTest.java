package dev.ovation.embedded.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A daemon in the place of Redis, whose parent reports success. */
class EmbeddedRedisTest {

    @TempDir Path temporary;
    private DataFolder folder;

    @BeforeEach
    void take() {
        folder = DataFolder.take(temporary);
    }

    @AfterEach
    void close() throws IOException {
        folder.close();
    }

    /** The bound of a start is 2 minutes; the message shows that the start ended before. */
    @Test
    void aDaemonThatEndsFailsTheStartWithItsLastLogLines() throws Exception {
        Path log = folder.of("redis").resolve("redis.log");
        Path executable =
                executable(
                        "printf 'one\\ntwo\\n\\nno error\\nthe port is taken\\n' > '%s'"
                                .formatted(log));
        var server = new EmbeddedRedis(folder, 0, executable::toFile);

        assertThatThrownBy(server::start)
                .isInstanceOf(EmbeddedException.class)
                .hasMessageContaining(
                        "(it ended after its start, %s: two; no error; the port is taken)"
                                .formatted(log));
    }

    @Test
    void aDaemonThatIsUpLaterThanItsParentEndsIsWaitedFor() throws Exception {
        try (var server = new EmbeddedRedis(folder, 0)) {
            server.start();

            assertThat(Pid.ours(server.pidFile(), folder.executables())).isPresent();
        }
    }

    /**
     * Another process writes the file. A process that this JVM starts meanwhile would inherit a
     * file that is open for writing, and such a file cannot be executed.
     */
    private Path executable(String script) throws IOException, InterruptedException {
        Path source = Files.writeString(temporary.resolve("source"), "#!/bin/sh\n" + script + "\n");
        Path bin = Files.createDirectories(folder.executables()).resolve("redis");
        var install = new ProcessBuilder("install", "-m", "755", "" + source, "" + bin);
        assertThat(install.inheritIO().start().waitFor()).isZero();
        return bin;
    }
}
