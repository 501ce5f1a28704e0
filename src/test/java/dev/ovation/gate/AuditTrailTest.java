package dev.ovation.gate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;

import dev.ovation.testing.TrailLines;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.logback.StructuredLogEncoder;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;

/** The format of the audit trail, also with a separate port for the actuator. */
@Isolated
class AuditTrailTest {

    private static GuardedService service;
    private TrailLines trail;

    @BeforeAll
    static void start() {
        service = GuardedService.start("management.server.port=0");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void listen() {
        trail = new TrailLines();
    }

    @AfterEach
    void listenNoMore() {
        trail.close();
    }

    @Test
    void theManagementPortHasTheSameTrail() {
        ILoggingEvent line = health();

        assertThat(line.getLevel()).hasToString("INFO");
        assertThat(line.getFormattedMessage())
                .isEqualTo(
                        "principal=open scope=operate method=GET route=/actuator/health"
                                + " status=200 request_id=given-1");
        assertThat(trail.all()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ecs", "gelf", "logstash"})
    void structuredLogsHaveEachFieldOnce(String format) {
        ILoggingEvent line = health();
        var encoder = new StructuredLogEncoder();
        encoder.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        encoder.setFormat(format);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.start();

        String json = new String(encoder.encode(line), StandardCharsets.UTF_8);

        String prefix = format.equals("gelf") ? "_" : "";
        JsonNode members = JsonMapper.shared().readTree(json);
        assertThat(members.get(prefix + "principal").stringValue()).isEqualTo("open");
        assertThat(members.get(prefix + "scope").stringValue()).isEqualTo("operate");
        assertThat(members.get(prefix + "route").stringValue()).isEqualTo("/actuator/health");
        assertThat(members.get(prefix + "status").asInt()).isEqualTo(200);
        assertThat(members.get(prefix + "request_id").stringValue()).isEqualTo("given-1");
    }

    private ILoggingEvent health() {
        var _ =
                GuardedService.sendTo(
                        service.managementPort(),
                        "GET",
                        "/actuator/health?user_id=ann",
                        "X-Request-Id: given-1");
        return trail.first();
    }

    /** A scan of the network must not fill the log. */
    @Test
    void anUnauthenticatedCallLeavesNoLine() {
        int refused =
                GuardedService.sendTo(
                                service.managementPort(),
                                "GET",
                                "/actuator/health",
                                "Origin: https://evil.example")
                        .status();

        assertThat(refused).isEqualTo(401);
        assertThat(health().getFormattedMessage()).contains("status=200");
        assertThat(trail.all()).hasSize(1);
    }
}
