package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.access.Scope;
import dev.ovation.credential.TestIssuer;
import dev.ovation.credential.TestKeys;
import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every operation of the document for every kind of caller, by the hot and the ordinary way. The
 * document has every mapping of Spring and no other, as {@link DocumentTest} sees to.
 */
@ExtendWith(TwoInstances.class)
class AccessTableTest {

    private static final long SEED = 377;
    private static final String GROUP = "{group}";
    private static final Set<Scope> OF_USERS =
            Set.of(
                    Scope.REACTIONS_READ,
                    Scope.REACTIONS_WRITE,
                    Scope.CROWDS_READ,
                    Scope.USERS_READ,
                    Scope.USERS_WRITE);
    private static final List<String> TABLES =
            List.of(
                    "user_reaction",
                    "entity",
                    "friendship",
                    "user_profile",
                    "job",
                    "configuration");

    @TempDir static Path folder;
    private static TestIssuer issuer;
    private static Instance guarded;
    private static String expired;
    private static String user;
    private static String backend;
    private static String operator;
    private static final Map<Scope, String> ALL_BUT = new LinkedHashMap<>();
    private static final Map<Scope, String> ELSEWHERE = new LinkedHashMap<>();

    private final ApiDocument document = TwoInstances.document();

    @BeforeAll
    static void start() {
        issuer = new TestIssuer();
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        expired = keys.add("expired", scopes(_ -> true), "expires: 2026-01-01");
        backend = keys.add("backend", scopes(OF_USERS::contains));
        operator = keys.add("operator", scopes(scope -> !OF_USERS.contains(scope)));
        for (Scope scope : Scope.values()) {
            if (scope != Scope.PUBLIC) {
                ALL_BUT.put(scope, keys.add("all-but-" + id(scope), scopes(each -> each != scope)));
                if (!scope.isForAllNamespaces()) {
                    ELSEWHERE.put(
                            scope,
                            keys.add(
                                    "elsewhere-" + id(scope),
                                    scopes(each -> each == scope),
                                    "namespaces: [elsewhere]"));
                }
            }
        }
        guarded =
                TwoInstances.beside(
                        Stream.concat(
                                        Stream.of(
                                                "ovation.access.keys=" + keys.file(),
                                                "ovation.pcc.enabled=true"),
                                        Arrays.stream(issuer.settings()))
                                .toArray(String[]::new));
        guarded.attached("Authorization", "Bearer " + operator);
        user =
                issuer.token(
                        issuer.claims(
                                "ann",
                                Arrays.stream(Scope.values())
                                        .map(Scope::label)
                                        .collect(Collectors.joining(" ")),
                                Instant.now()));
    }

    @AfterAll
    static void stop() {
        guarded.close();
        issuer.close();
    }

    private static String id(Scope scope) {
        return scope.label().replace(':', '-');
    }

    private static String scopes(Predicate<Scope> which) {
        return Arrays.stream(Scope.values())
                .filter(scope -> scope != Scope.PUBLIC && which.test(scope))
                .map(Scope::label)
                .collect(Collectors.joining(", ", "scopes: [", "]"));
    }

    static List<Operation> operations() {
        return TwoInstances.document().operations();
    }

    /** A row for each operation, and an operation for each row. */
    @Test
    void theTableIsWhole() throws IOException {
        assertThat(operations().stream().map(Operation::toString))
                .containsExactlyInAnyOrderElementsOf(table().keySet());
    }

    @ParameterizedTest
    @MethodSource("operations")
    void theDocumentSaysWhichScopeIsDemanded(Operation operation) throws IOException {
        Scope scope = scope(operation);
        List<String> said =
                operation
                        .json()
                        .get("security")
                        .valueStream()
                        .flatMap(each -> each.properties().stream())
                        .flatMap(each -> each.getValue().valueStream())
                        .map(JsonNode::stringValue)
                        .distinct()
                        .toList();

        if (operation.path().contains(GROUP)) {
            assertThat(said).containsExactly("operate");
        } else if (scope == null) {
            assertThat(said).isEmpty();
        } else {
            assertThat(said).containsExactly(scope.label());
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void withoutAValidCredentialOnlyWhatIsPublicIsAnswered(Operation operation)
            throws IOException, SQLException {
        Scope scope = scope(operation);
        List<Long> before = rows();
        for (Request request : ways(operation)) {
            Answer none = send(request, null);
            if (scope == null) {
                assertGranted(none, request);
            } else {
                assertUnauthenticated(none, request);
                assertThat(header(none, "WWW-Authenticate")).isEqualTo("Bearer realm=\"ovation\"");
            }
            for (String wrong : List.of(expired, backend + "x", user + "x", "ovk_", "x")) {
                Answer answer = send(request, wrong);
                assertUnauthenticated(answer, request);
                assertThat(header(answer, "WWW-Authenticate")).contains("error=\"invalid_token\"");
            }
        }
        assertThat(rows()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aCredentialWithoutTheScopeIsRefused(Operation operation) throws IOException, SQLException {
        Scope scope = scope(operation);
        if (scope == null) {
            return;
        }
        List<Long> before = rows();
        for (Request request : ways(operation)) {
            assertForbidden(send(request, ALL_BUT.get(scope)), request, "scope", scope.label());
            if (!OF_USERS.contains(scope)) {
                assertForbidden(send(request, user), request, "scope", scope.label());
                assertForbidden(send(request, backend), request, "scope", scope.label());
            } else {
                assertForbidden(send(request, operator), request, "scope", scope.label());
            }
        }
        assertThat(rows()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aKeyOfAnotherNamespaceIsRefused(Operation operation) throws IOException, SQLException {
        Scope scope = scope(operation);
        if (scope == null || scope.isForAllNamespaces()) {
            return;
        }
        List<Long> before = rows();
        for (Request request : ways(operation)) {
            Answer answer = send(request, ELSEWHERE.get(scope));
            switch (operation.path()) {
                // What is malformed as well is told first.
                case "/pcc" ->
                        assertThat(answer.json().get("error_code").intValue()).isIn(400, 403);
                case "/reactions/batch" ->
                        assertThat(answer.json().get("results").valueStream())
                                .allSatisfy(each -> assertRefusal(each));
                default -> {
                    assertThat(answer.status()).as(request.toString()).isEqualTo(403);
                    assertThat(answer.body()).contains("\"code\":\"forbidden\"", "namespace_id");
                }
            }
        }
        assertThat(rows()).isEqualTo(before);
    }

    private static void assertRefusal(JsonNode result) {
        assertThat(result.get("outcome").stringValue()).isEqualTo("refused");
        assertThat(result.at("/problem/code").stringValue()).isEqualTo("forbidden");
        assertThat(result.at("/problem/namespace_id").isString()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whoHoldsTheScopeIsServed(Operation operation) throws IOException {
        Scope scope = scope(operation);
        String key = scope != null && OF_USERS.contains(scope) ? backend : operator;

        for (Request request : ways(operation)) {
            assertGranted(send(request, key), request);
        }
    }

    /**
     * The request as the document allows it, and one with an escape that keeps it off hot routes.
     */
    private List<Request> ways(Operation operation) {
        Request plain = Requests.harmless(new Requests(document, SEED).valid(operation));
        var ways = new ArrayList<Request>();
        ways.add(plain);
        String path = plain.path();
        if (path.length() > 1) {
            String escape = "%" + Integer.toHexString(path.charAt(1));
            ways.add(plain.at(plain.method(), "/" + escape + path.substring(2)));
        }
        return ways;
    }

    /** Judged by the document where its path can be found there. */
    private Answer send(Request request, String credential) {
        Request sent =
                credential == null
                        ? request
                        : request.withHeader("Authorization", "Bearer " + credential);
        var exchange = sent.sendTo(guarded.port());
        if (!request.path().contains("%")) {
            TwoInstances.judge().check(exchange);
        }
        return exchange.answer();
    }

    private static void assertGranted(Answer answer, Request request) {
        assertThat(answer.status()).as("%s %s", request, answer).isNotEqualTo(401).isLessThan(500);
        assertThat(answer.body()).as(request.toString()).doesNotContain("\"code\":\"forbidden\"");
    }

    private static void assertUnauthenticated(Answer answer, Request request) {
        assertThat(answer.status()).as("%s %s", request, answer).isEqualTo(401);
        assertThat(answer.json().get("code").stringValue()).isEqualTo("unauthenticated");
        assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
    }

    private static void assertForbidden(
            Answer answer, Request request, String member, String value) {
        assertThat(answer.status()).as("%s %s", request, answer).isEqualTo(403);
        assertThat(answer.json().get("code").stringValue()).isEqualTo("forbidden");
        assertThat(answer.json().get(member).stringValue()).isEqualTo(value);
        assertThat(header(answer, "WWW-Authenticate")).contains("insufficient_scope");
    }

    private static String header(Answer answer, String name) {
        return answer.headers().entrySet().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static List<Long> rows() throws SQLException {
        var rows = new ArrayList<Long>();
        try (var database = TwoInstances.database();
                var statement = database.createStatement()) {
            for (String table : TABLES) {
                try (var result = statement.executeQuery("select count(*) from " + table)) {
                    result.next();
                    rows.add(result.getLong(1));
                }
            }
        }
        return rows;
    }

    /** Null for what is public. */
    private static Scope scope(Operation operation) throws IOException {
        String label = Objects.requireNonNull(table().get(operation.toString()));
        return label.equals("-") ? null : Objects.requireNonNull(Scope.granted(label));
    }

    private static Map<String, String> table() throws IOException {
        try (InputStream in = AccessTableTest.class.getResourceAsStream("scopes.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\\|", 2))
                    .collect(
                            Collectors.toMap(
                                    row -> row[0].strip().replaceAll("\\s+", " "),
                                    row -> row[1].strip()));
        }
    }
}
