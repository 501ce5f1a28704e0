package dev.ovation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;

import org.junit.jupiter.api.Test;

/** The control of the benchmarks uses classes of the product, and starts without the rest. */
class EmptyHandlerTest {

    @Test
    void itAnswersOnTheTomcatOfTheService() {
        try (var empty = EmptyHandler.run("--server.port=0")) {
            int port =
                    empty.getEnvironment().getRequiredProperty("local.server.port", Integer.class);

            assertThat(Instance.sendTo(port, "GET", "/ping", null).body()).isEqualTo("pong");
        }
    }
}
