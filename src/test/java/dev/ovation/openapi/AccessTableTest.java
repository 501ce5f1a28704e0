package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.openapi.AccessTable.Caller;
import dev.ovation.openapi.AccessTable.Cell;
import dev.ovation.openapi.AccessTable.Row;
import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;
import dev.ovation.web.DirectController;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sends every operation for every kind of caller, in every way, on both ports. Each answer must be
 * that of {@code access.txt}, and a refused request must change nothing.
 */
@Beside
@Order(1)
class AccessTableTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir static Path folder;
    private static Guarded guarded;
    private static Instance service;
    private static Instance withTwoPorts;
    private static int managementPort;
    private static ApiDocument document;
    private static Cells cells;

    @BeforeAll
    static void start() {
        guarded = new Guarded(folder);
        service = guarded.start();
        withTwoPorts = guarded.start("management.server.port=0");
        managementPort =
                withTwoPorts
                        .bean(Environment.class)
                        .getRequiredProperty("local.management.port", Integer.class);
        document = ApiDocument.of(service, guarded.asOperator());
        cells = new Cells(document);
        service.attached(guarded.asOperator());
        Wait.until("health is UP", () -> health().status() == 200);
        for (String user : List.of(Guarded.USER, Guarded.OTHER_USER)) {
            String body = Instance.body("posts", "generated", user, "👍");
            assertThat(service.send("POST", "/reactions", body, guarded.asBackend()).status())
                    .isEqualTo(200);
        }
    }

    private static Answer health() {
        return Instance.sendTo(
                managementPort, "GET", "/actuator/health", null, guarded.asOperator());
    }

    @AfterAll
    static void stop() {
        guarded.close();
    }

    static List<Row> rows() {
        return AccessTable.rows(document);
    }

    /** A new mapping must be added to the table. */
    @Test
    void everyMappingHasARow() {
        var mapped = new TreeSet<String>();
        for (var each : service.beans(RequestMappingInfoHandlerMapping.class)) {
            each.getHandlerMethods().keySet().forEach(info -> mapped.addAll(names(info)));
        }
        service.beans(DirectController.class).stream()
                .flatMap(each -> each.hotRoutes().stream())
                .forEach(hot -> mapped.add(hot.method() + " " + hot.path()));

        assertThat(rows().stream().map(Row::toString))
                .containsExactlyInAnyOrderElementsOf(mapped)
                .containsAll(document.operations().stream().map(Operation::toString).toList());
    }

    /** A direct route passes no interceptor, which would read the annotation. */
    @Test
    void aDirectRouteDemandsTheScopeOfItsHandler() {
        var annotated = new TreeMap<String, Scope>();
        for (var each : service.beans(RequestMappingInfoHandlerMapping.class)) {
            each.getHandlerMethods()
                    .forEach(
                            (info, handler) -> {
                                var needs = handler.getMethodAnnotation(RequiresScope.class);
                                if (needs != null) {
                                    names(info).forEach(name -> annotated.put(name, needs.value()));
                                }
                            });
        }
        var direct = new TreeMap<String, Scope>();
        service.beans(DirectController.class).stream()
                .flatMap(each -> each.hotRoutes().stream())
                .forEach(hot -> direct.put(hot.method() + " " + hot.path(), hot.scope()));

        assertThat(direct).isNotEmpty();
        assertThat(annotated).containsAllEntriesOf(direct);
    }

    /** A mapping without a method serves all methods. */
    private static Set<String> names(RequestMappingInfo info) {
        var methods = info.getMethodsCondition().getMethods();
        return (methods.isEmpty() ? Stream.of("GET") : methods.stream().map(Object::toString))
                .flatMap(
                        method -> info.getPatternValues().stream().map(path -> method + " " + path))
                .map(name -> name.replace("/health/**", "/health/{group}"))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theDocumentNamesTheRequiredScope(Row row) {
        JsonNode operation = row.operation().json();
        String said = operation.path("x-scope").asString("");

        if (row.operation().path().contains("{group}")) {
            assertThat(said).isEqualTo(Scope.OPERATE.label());
            assertThat(operation.get("security")).hasSize(3).contains(JSON.createObjectNode());
        } else if (operation.isEmpty()) {
            assertThat(said).isEmpty();
        } else if (row.isPublic()) {
            assertThat(said).isEmpty();
            assertThat(operation.get("security")).isEmpty();
        } else {
            assertThat(said).isEqualTo(row.scope().label());
            assertThat(operation.has("security")).isFalse();
            assertThat(document.json().get("security")).hasSize(2);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void callersWithoutAValidCredentialReachOnlyPublicOperations(Row row) {
        assertRow(row, Caller.NONE, Caller.WRONG, Caller.EXPIRED);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aCredentialWithoutTheScopeIsRefused(Row row) {
        assertRow(row, Caller.LACKING);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aCredentialForAnotherNamespaceIsRefused(Row row) {
        assertRow(row, Caller.ELSEWHERE);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aUserActsAsItselfAlone(Row row) {
        assertRow(row, Caller.OTHER, Caller.OWN);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theScopesOfBackendsAndOperatorsDecideTheirAccess(Row row) {
        assertRow(row, Caller.BACKEND, Caller.OPERATOR);
    }

    /** The plain way with all credentials, each other way with one credential of each caller. */
    private static void assertRow(Row row, Caller... callers) {
        assertUnchanged(
                row,
                callers,
                caller -> {
                    List<String> credentials = guarded.credentials(caller, row.scope());
                    for (Way way : Way.values()) {
                        boolean direct = Way.TO_THE_OPERATION.contains(way);
                        for (String each : direct ? credentials : credentials.subList(0, 1)) {
                            cells.check(row, caller, way, each, service.port());
                        }
                    }
                });
    }

    /** The port of the operation has the same table; the other port does not have the operation. */
    @ParameterizedTest
    @MethodSource("rows")
    void eachOfTwoPortsHasItsOwnOperations(Row row) {
        boolean isManaged = row.operation().path().startsWith("/actuator");
        int own = isManaged ? managementPort : withTwoPorts.port();
        int other = isManaged ? withTwoPorts.port() : managementPort;
        assertUnchanged(
                row,
                Caller.values(),
                caller -> {
                    String credential = guarded.credentials(caller, row.scope()).getFirst();
                    for (Way way :
                            List.of(Way.PLAIN, Way.ESCAPED, Way.HTTP_2, Way.HEAD, Way.OPTIONS)) {
                        cells.check(row, caller, way, credential, own);
                    }
                    for (Way way : List.of(Way.PLAIN, Way.ESCAPED)) {
                        Request request = cells.request(row, caller, credential);
                        if (way.fits(request)) {
                            assertThat(way.send(request, other).answer().status())
                                    .as("%s %s on the other port", caller, request)
                                    .isEqualTo(caller.isKnown() ? 404 : 401);
                        }
                    }
                });
    }

    /** Refused callers come first, because the others may write. */
    private static void assertUnchanged(Row row, Caller[] callers, Turn turn) {
        Map<Boolean, List<Caller>> byAnswer =
                Stream.of(callers)
                        .collect(
                                Collectors.partitioningBy(
                                        each -> row.cells().get(each) == Cell.OK));
        Map<String, String> before = guarded.stored.settled();
        byAnswer.get(false).forEach(turn::take);
        guarded.stored.assertNothingWritten(before);
        byAnswer.get(true).forEach(turn::take);
    }

    private interface Turn {
        void take(Caller caller);
    }
}
