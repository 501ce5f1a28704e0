package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Collectors;

/** {@code Prefer: handling=strict}: a parameter that the document does not name is a 400. */
@ExtendWith(TwoInstances.class)
class StrictParametersTest {

    private static final String UNKNOWN = "no_such_parameter";

    private final Instance service = TwoInstances.one();

    /** Operations with a query of their own; those of Spring's actuator ignore theirs. */
    static List<Operation> operations() {
        return TwoInstances.document().operations().stream()
                .filter(each -> !each.path().matches("/|/ping|/pcc|/livez|/readyz"))
                .filter(each -> !each.path().startsWith("/actuator"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anUnknownParameterIsNamedAndAKnownOneIsNot(Operation operation) {
        List<String> known = parameters(operation);
        String query =
                known.stream().map(each -> each + "=x&").collect(Collectors.joining()) + UNKNOWN;
        Answer answer = send(operation, query, "Prefer", "handling=strict");

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(
                        answer.json()
                                .get("violations")
                                .valueStream()
                                .map(each -> each.get("field").stringValue()))
                .containsExactly(UNKNOWN);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void withoutThePreferenceItIsIgnored(Operation operation) {
        for (String preference : List.of("handling=lenient", "return=minimal", "handling")) {
            Answer answer = send(operation, UNKNOWN + "=1", "Prefer", preference);

            assertThat(answer.body()).doesNotContain(UNKNOWN);
        }
    }

    @Test
    void thePreferenceStandsAmongOthers() {
        String target = "/reactions?namespace_id=letters&entity_id=strict&detail=true";
        for (String preference :
                List.of(
                        "return=representation, handling=strict",
                        "respond-async; wait=5, Handling = \"strict\"; x=y")) {
            Answer answer = service.send("GET", target, null, "Prefer", preference);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("detail is not a parameter");
        }
        assertThat(
                        service.send(
                                        "GET",
                                        target.replace("detail=", "details="),
                                        null,
                                        "Prefer",
                                        "handling=strict")
                                .status())
                .isEqualTo(200);
    }

    private Answer send(Operation operation, String query, String... headers) {
        String body = operation.method().equals("GET") ? null : "";
        return service.send(operation.method(), operation.path() + "?" + query, body, headers);
    }

    private static List<String> parameters(Operation operation) {
        return TwoInstances.document().parameters(operation).stream()
                .filter(each -> each.get("in").stringValue().equals("query"))
                .map((JsonNode each) -> each.get("name").stringValue())
                .toList();
    }
}
