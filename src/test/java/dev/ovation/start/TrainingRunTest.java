package dev.ovation.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.Ovation;
import dev.ovation.testing.Beside;
import dev.ovation.testing.ChildJvm;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;

/** A training run for an AOT cache creates all beans, connects to no server and ends. */
@Beside
class TrainingRunTest {

    private static final int BACKLOG = 50;

    @Test
    void createsTheBeansWithoutAConnection() throws IOException {
        try (var server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + server.getLocalPort();
            var run =
                    ChildJvm.start(
                            Ovation.class,
                            List.of(
                                    "-XX:TieredStopAtLevel=1",
                                    "-XX:+UseSerialGC",
                                    "-Xmx256m",
                                    "-Dspring.context.exit=onRefresh"),
                            List.of(
                                    "--server.port=0",
                                    "--spring.datasource.url=jdbc:postgresql://" + address + "/any",
                                    "--spring.data.redis.url=redis://" + address));

            assertThat(run.exitCode()).as(run.output()).isZero();

            // The backlog holds the connections of a process that has ended.
            server.setSoTimeout(1);
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
