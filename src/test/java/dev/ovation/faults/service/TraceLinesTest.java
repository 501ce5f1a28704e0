package dev.ovation.faults.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.SpanReceiver;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The log of an instance with a process of its own, because the logging belongs to a whole JVM. */
@Beside
class TraceLinesTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String EXPORTS = "/exports?kind=users";

    private static SpanReceiver receiver;
    private static Stage stage;
    private static ServiceProcess service;

    @BeforeAll
    static void start() {
        receiver = SpanReceiver.start();
        stage = Stage.open();
        service =
                Children.start(
                        stage, receiver.settings("logging.structured.format.console=logstash"));
    }

    @AfterAll
    static void stop() {
        service.close();
        stage.close();
        receiver.close();
    }

    @ParameterizedTest
    @CsvSource({"01, true", "00, false"})
    void aStructuredLineNamesTheSpanOfATracedRequestOnly(String flags, boolean isTraced) {
        String request = "request-" + flags;
        String header = "00-" + TRACE + "-00f067aa0ba902b7-" + flags;
        var answer =
                service.send("GET", EXPORTS, null, "traceparent", header, "X-Request-Id", request);
        assertThat(answer.status()).isEqualTo(200);

        String line =
                Wait.until("a line of " + request, () -> line(request), each -> !each.isEmpty());

        assertThat(line.contains("\"traceId\":\"" + TRACE + "\"")).as(line).isEqualTo(isTraced);
        assertThat(line.contains("\"spanId\":\"")).as(line).isEqualTo(isTraced);
        if (isTraced) {
            var span = receiver.await("its span", each -> each.name().equals("GET /exports"));
            assertThat(line).contains("\"spanId\":\"" + span.id().span() + "\"");
        }
    }

    /** The line of the audit trail about a request. */
    private static String line(String request) {
        return service.output()
                .lines()
                .filter(line -> line.contains("ovation.access") && line.contains(request))
                .findFirst()
                .orElse("");
    }
}
