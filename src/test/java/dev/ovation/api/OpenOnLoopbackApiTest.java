package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.Environment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A service without any credential configured, which only its own machine can reach. */
@ExtendWith(TwoInstances.class)
class OpenOnLoopbackApiTest extends ApiFixture {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example",
                "Host: localhost\r\nOrigin: https://evil.example",
                "Host: localhost\r\nOrigin: null",
                "Host: localhost\r\nX-Forwarded-For: 10.0.0.1",
                "Host: localhost\r\nForwarded: for=10.0.0.1"
            })
    void aPageOfAnotherSiteChangesNothing(String header) {
        String body = Instance.body("posts", entity, "ann", "👍");
        for (String path : List.of("/reactions", "/%72eactions")) {
            Reply reply = post(path, header, body);

            assertThat(reply.status()).as(path).isEqualTo(401);
            assertThat(reply.body()).contains("unauthenticated", "OVATION_ACCESS_KEYS");
        }
        assertThat(post("/actuator/refresh", header, "").status()).isEqualTo(401);
        assertThat(post("/nothing", header, "").status()).isEqualTo(401);
        assertThat(own("posts", "ann")).isEmpty();
    }

    private Reply post(String path, String header, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "POST %s HTTP/1.1\r\n%s\r\nConnection: close\r\nContent-Length: %d\r\n"
                        .formatted(path, header, bytes.length);
        return RawHttp.send(service.port(), head, body);
    }

    /** Uses each address of this machine that is no loopback address. */
    @Test
    void theNetworkDoesNotReachIt() throws SocketException {
        List<InetAddress> others =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                        .toList();

        assertThat(others).noneMatch(this::isReachedBy);
    }

    private boolean isReachedBy(InetAddress address) {
        try (var socket = new Socket(address, service.port())) {
            // A socket whose own port is that of the service is connected to itself.
            return socket.getLocalPort() != service.port();
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void aPortOfItsOwnForTheActuatorHasTheSameGate() {
        try (Instance instance =
                TwoInstances.beside("management.server.port=0", "ovation.access.mode=required")) {
            int port =
                    Integer.parseInt(
                            instance.bean(Environment.class)
                                    .getRequiredProperty("local.management.port"));
            assertThat(port).isNotEqualTo(instance.port());

            for (String path :
                    List.of("/actuator", "/actuator/health", "/actuator/namespaces", "/nothing")) {
                assertUnauthenticated(Instance.sendTo(port, "GET", path, null));
            }
            assertUnauthenticated(Instance.sendTo(port, "POST", "/actuator/refresh", null));
            assertUnauthenticated(Instance.sendTo(port, "POST", "/actuator/audit", null));
            assertUnauthenticated(
                    Instance.sendTo(instance.port(), "GET", "/users?user_id=a", null));
            assertThat(Instance.sendTo(port, "GET", "/actuator/health/liveness", null).body())
                    .isEqualTo("{\"status\":\"UP\"}");
            assertThat(Instance.sendTo(instance.port(), "GET", "/livez", null).body())
                    .isEqualTo("{\"status\":\"UP\"}");
        }
    }

    @Test
    void aPortOfItsOwnForTheActuatorAnswersAsTheOther() {
        try (Instance instance = TwoInstances.beside("management.server.port=0")) {
            int port =
                    Integer.parseInt(
                            instance.bean(Environment.class)
                                    .getRequiredProperty("local.management.port"));

            Answer health = Instance.sendTo(port, "GET", "/actuator/health/readiness", null);
            assertThat(health.json().has("components")).isTrue();
            var _ =
                    assertRefused(
                            Instance.sendTo(port, "POST", "/actuator/audit?sample=0", null),
                            400,
                            "malformed-request");
            var _ = assertProblem(Instance.sendTo(port, "GET", "/nothing", null), 404, "not-found");
            assertThat(Instance.sendTo(instance.port(), "GET", "/actuator/health", null).status())
                    .isEqualTo(404);
        }
    }

    private static void assertUnauthenticated(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(401);
        assertThat(answer.json().get("code").stringValue()).isEqualTo("unauthenticated");
    }
}
