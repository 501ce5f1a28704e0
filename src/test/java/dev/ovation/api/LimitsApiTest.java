package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestIssuer;
import dev.ovation.credential.TestKeys;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;
import dev.ovation.web.RawHttp;

import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Callers at their limits, at a service that requires credentials. Quotas are per day, so that no
 * unit is refilled during a test.
 */
@ExtendWith(TwoInstances.class)
class LimitsApiTest extends ApiFixture {

    private static final int READS = 6;
    private static final int WRITES = 8;
    private static final int STRANGERS = 5;
    private static final int ERASURES = 3;
    private static final String DAY = "/24h";
    private static final String SCOPES =
            "reactions:read reactions:write crowds:read users:read users:write";
    private static final String OF_BACKENDS = "scopes: [" + SCOPES.replace(" ", ", ") + "]";
    private static final Pattern ITEM = Pattern.compile("\"([a-z-]+)\";r=(\\d+);t=(\\d+)");
    private static final List<String> ALL_READS =
            List.of(
                    "GET /reactions?IDS",
                    "GET /%72eactions?IDS",
                    "HEAD /reactions?IDS",
                    "GET /reactions?IDS&viewer_id=USER",
                    "GET /reactions/users?IDS",
                    "GET /users/reactions?user_id=USER",
                    "GET /users?user_id=USER",
                    "GET /users/friends?user_id=USER",
                    "GET /entities/top?namespace_id=posts",
                    "GET /configuration/namespace?namespace_id=posts",
                    "POST /reactions/query QUERY",
                    "POST /reactions/users/query AMONG",
                    "POST /reactions/query MALFORMED");
    private static final List<String> ALL_WRITES =
            List.of(
                    "POST /reactions?if_exists=ok ONE",
                    "POST /%72eactions?if_exists=ok ONE",
                    "POST /reactions ONE",
                    "PUT /reactions SET",
                    "DELETE /reactions ONE",
                    "POST /reactions/batch BATCH",
                    "PUT /users?user_id=USER NAME",
                    "PUT /users/friends?user_id=USER&friend_id=other",
                    "DELETE /users/friends?user_id=USER&friend_id=other",
                    "GET /pcc?action=count&oid=1",
                    "POST /reactions MALFORMED");

    @TempDir static Path folder;
    private static TestKeys keys;
    private static TestIssuer issuer;
    private static Instance guarded;
    private static String operator;

    private final String user = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        issuer = new TestIssuer();
        keys = new TestKeys(folder.resolve("keys.yaml"));
        operator = keys.add("operator", "scopes: [operate, configure]");
        guarded =
                TwoInstances.beside(
                        Stream.concat(
                                        Stream.of(
                                                "ovation.access.keys=" + keys.file(),
                                                "ovation.access.anonymous=reactions:read",
                                                "ovation.limits.user-reads=" + READS + DAY,
                                                "ovation.limits.user-writes=" + WRITES + DAY,
                                                "ovation.limits.address=" + STRANGERS + DAY,
                                                "ovation.limits.erasures=" + ERASURES + DAY,
                                                "ovation.internal.limits.imports=1",
                                                "ovation.internal.limits.exports=1",
                                                "server.forward-headers-strategy=native",
                                                "ovation.pcc.enabled=true"),
                                        Arrays.stream(issuer.settings()))
                                .toArray(String[]::new));
        guarded.attached("X-Api-Key", operator);
    }

    @AfterAll
    static void stop() {
        guarded.close();
        issuer.close();
    }

    static List<String> reads() {
        return ALL_READS;
    }

    static List<String> writes() {
        return ALL_WRITES;
    }

    @ParameterizedTest
    @MethodSource("reads")
    void theReadsOfAUserAreLimitedAsTheHeadersState(String way) {
        assertLimited(way, token(user), "user-reads", READS);
    }

    @ParameterizedTest
    @MethodSource("writes")
    void theWritesOfAUserAreLimitedAsTheHeadersState(String way) {
        assertLimited(way, token(user), "user-writes", WRITES);
    }

    @ParameterizedTest
    @MethodSource("reads")
    void theReadsOfAKeyAreLimitedAsTheHeadersState(String way) {
        assertLimited(way, key("limits: {reads: 4/24h}"), "key-reads", 4);
    }

    @ParameterizedTest
    @MethodSource("writes")
    void theWritesOfAKeyAreLimitedAsTheHeadersState(String way) {
        assertLimited(way, key("limits: {writes: 4/24h}"), "key-writes", 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /entities/top?namespace_id=posts",
                "HEAD /entities/top?namespace_id=posts"
            })
    void anonymousCallersOfOneAddressAreLimitedByTheirHeaders(String way) {
        String address = address();
        String[] parts = parts(way);

        Answer last = assertSpent(STRANGERS, "address", () -> from(address, parts));
        assertRefused(last, parts[0], "address");
        assertThat(from(address(), parts).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /reactions?IDS",
                "GET /%72eactions?IDS",
                "HEAD /reactions?IDS",
                "POST /reactions/query STRANGERS",
                "GET /configuration/namespace?namespace_id=posts"
            })
    void aSharedCacheableAnswerHasNoRateLimitHeaders(String way) {
        String address = address();
        String[] parts = parts(way);
        for (int i = 0; i < STRANGERS; i++) {
            Answer answer = from(address, parts);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(header(answer, "Cache-Control")).startsWith("public");
            assertThat(header(answer, "RateLimit")).isNull();
            assertThat(header(answer, "RateLimit-Policy")).isNull();
        }
        Answer refused = from(address, parts);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(header(refused, "Cache-Control")).isEqualTo("no-store");
        assertThat(left(refused)).isZero();
        assertRefused(refused, parts[0], "address");
        assertThat(from(address(), parts).status()).isEqualTo(200);
    }

    @Test
    void aSharedCacheable304HasNoRateLimitHeaders() {
        String[] read = parts("GET /reactions?IDS");
        String tag = header(from(address(), read), "ETag");

        Answer unchanged = from(address(), read, "If-None-Match", tag);

        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(header(unchanged, "Cache-Control")).startsWith("public");
        assertThat(header(unchanged, "RateLimit")).isNull();
        assertThat(header(unchanged, "RateLimit-Policy")).isNull();
    }

    @Test
    void refusedCallersOfAnAddressLeaveValidCredentialsTheirs() {
        String address = address();
        String[] read = parts("GET /entities/top?namespace_id=posts");
        assertRefused(
                assertSpent(STRANGERS, "address", () -> from(address, read)), "GET", "address");

        assertThat(from(address, read, "X-Api-Key", key()).status()).isEqualTo(200);
        assertThat(from(address, read, "Authorization", "Bearer " + token(user)).status())
                .isEqualTo(200);

        for (String unknown : List.of("ovk_unknown", "x", "ovk_", "ovk_x", "y")) {
            assertThat(from(address, read, "X-Api-Key", unknown).status()).isEqualTo(401);
        }
        Answer refused = from(address, read, "X-Api-Key", "ovk_unknown");
        assertRefused(refused, "GET", "address");
        assertThat(left(refused)).isZero();
        assertThat(from(address, read, "X-Api-Key", key()).status()).isEqualTo(200);
    }

    @Test
    void credentialsOfNoKnownFormAreCounted() {
        String address = address();
        String[] read = parts("GET /reactions?IDS");
        for (int i = 0; i < STRANGERS; i++) {
            assertThat(from(address, read, "Authorization", "Basic eDp5").status()).isEqualTo(401);
        }
        Answer several =
                from(address, read, "Authorization", "Bearer x", "X-Api-Key", "ovk_unknown");
        assertRefused(several, "GET", "address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /nothing", "PATCH /jobs", "GET /actuator/nothing"})
    void aCallerWithoutCredentialCannotListTheOperations(String way) {
        Answer known = from(address(), parts("GET /jobs"));
        Answer unknown = from(address(), parts(way));

        assertThat(unknown.status()).isEqualTo(known.status()).isEqualTo(401);
        assertThat(unknown.headers().keySet()).isEqualTo(known.headers().keySet());
        assertThat(left(unknown)).isEqualTo(left(known)).isEqualTo(STRANGERS - 1);
    }

    /** The first answer states the remaining quota; then comes the refusal. */
    private void assertLimited(String way, String credential, String policy, int quota) {
        String[] parts = parts(way);
        Answer refused = assertSpent(quota, policy, () -> send(parts, credential));

        assertRefused(refused, parts[0], policy);
    }

    private static Answer assertSpent(int quota, String policy, Supplier<Answer> request) {
        String policies = "\"%s\";q=%d;w=86400".formatted(policy, quota);
        for (int left = quota - 1; left >= 0; left--) {
            Answer answer = request.get();
            assertThat(answer.status()).as(answer.toString()).isNotEqualTo(429).isLessThan(500);
            assertThat(header(answer, "RateLimit-Policy")).isEqualTo(policies);
            assertThat(limit(answer).group(1)).isEqualTo(policy);
            assertThat(left(answer)).isEqualTo(left);
        }
        Answer refused = request.get();
        assertThat(refused.status()).as(refused.toString()).isEqualTo(429);
        assertThat(header(refused, "RateLimit-Policy")).isEqualTo(policies);
        assertThat(left(refused)).isZero();
        assertThat(Long.parseLong(header(refused, "Retry-After")))
                .isGreaterThanOrEqualTo(Long.parseLong(limit(refused).group(3)));
        return refused;
    }

    private static void assertRefused(Answer refused, String method, String policy) {
        if (method.equals("HEAD")) {
            return;
        }
        JsonNode problem = problem(refused, 429, "rate-limited");
        assertThat(text(problem, "policy")).isEqualTo(policy);
    }

    @Test
    void aWriteBeyondTheLimitIsRefusedAndChangesNothing() {
        String ann = token(user);
        spend(WRITES, ann);

        var _ = assertRefused(send("POST", "/reactions", one("🎉"), ann), 429, "rate-limited");

        assertThat(own("posts", user)).containsExactly("👍");
    }

    @Test
    void aRefusedQueryIsARead() {
        String ann = token(user);
        String[] query = parts("POST /reactions/query QUERY");
        for (int i = 0; i < READS; i++) {
            assertThat(send(query, ann).status()).isEqualTo(200);
        }

        var _ = assertProblem(send(query, ann), 429, "rate-limited");
    }

    @Test
    void aBatchIsDoneWholeOrNotAtAll() {
        String ann = token(user);
        Answer first = send("POST", "/reactions/batch", batch("a", 5), ann);
        assertThat(Instance.outcomes(first)).hasSize(5).containsOnly("applied");
        assertThat(left(first)).isEqualTo(WRITES - 5);

        Answer refused = send("POST", "/reactions/batch", batch("b", 4), ann);
        var _ = assertRefused(refused, 429, "rate-limited");
        assertThat(left(refused)).isEqualTo(WRITES - 5);
        assertThat(count("b", 4)).isZero();

        Answer fits = send("POST", "/reactions/batch", batch("b", 3), ann);
        assertThat(Instance.outcomes(fits)).hasSize(3).containsOnly("applied");
        assertThat(left(fits)).isZero();
    }

    @Test
    void aBatchThatCanNeverFitIsMalformed() {
        String ann = token(user);

        Answer answer = send("POST", "/reactions/batch", batch("c", WRITES + 1), ann);

        assertViolations(answer, "operations");
        assertThat(answer.body()).contains("`user-writes` allows 8 units in 86400 s");
        assertThat(header(answer, "Retry-After")).isNull();
        assertThat(count("c", WRITES + 1)).isZero();
    }

    @Test
    void aQueryCostsAUnitForEachTenEntities() {
        String entities =
                IntStream.range(0, 21).mapToObj(i -> "\"e" + i + "\"").toList().toString();
        String body = "{\"namespace_id\":\"posts\",\"entities\":%s}".formatted(entities);

        Answer answer = send("POST", "/reactions/query", body, token(user));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(left(answer)).isEqualTo(READS - 3);
    }

    @Test
    void oneCallerLeavesTheOthersTheirs() {
        String ann = token(user);
        spend(WRITES, ann);
        assertThat(send("POST", "/reactions", one("👍"), ann).status()).isEqualTo(429);

        String bob = UUID.randomUUID().toString();
        assertOk(send("POST", "/reactions", body(bob, "👍"), token(bob)));
        assertOk(send("POST", "/reactions", one("🎉"), key()));
        assertThat(send("GET", "/reactions?" + ids(), null, ann).status()).isEqualTo(200);
        assertThat(from(address(), parts("GET /reactions?IDS")).status()).isEqualTo(200);
    }

    @Test
    void aKeyWithoutLimitsHasNone() {
        String backend = key();
        for (int i = 0; i < 2 * WRITES; i++) {
            Answer answer = send("POST", "/reactions?if_exists=ok", one("👍"), backend);
            assertOk(answer);
            assertThat(header(answer, "RateLimit")).isNull();
            assertThat(header(answer, "RateLimit-Policy")).isNull();
        }
    }

    @Test
    void whereNoCredentialIsConfiguredNothingIsLimited() {
        for (int i = 0; i < 100; i++) {
            Answer answer = post("?if_exists=ok", "posts", user, "👍");
            assertOk(answer);
            assertThat(header(answer, "RateLimit-Policy")).isNull();
        }
    }

    @Test
    void theUsersOfAKeyAreLimitedEachForItself() {
        String backend = key("limits: {writes: 9/24h, user-writes: 2/24h}");

        Answer first = send("POST", "/reactions", one("👍"), backend);
        assertOk(first);
        assertThat(header(first, "RateLimit-Policy"))
                .isEqualTo("\"key-writes\";q=9;w=86400, \"user-writes\";q=2;w=86400");
        assertThat(limit(first).group(1)).isEqualTo("user-writes");
        assertThat(left(first)).isEqualTo(1);
        assertOk(send("DELETE", "/reactions", one("👍"), backend));
        Answer refused = send("POST", "/reactions", one("👍"), backend);
        var _ = assertRefused(refused, 429, "rate-limited");
        assertThat(text(refused.json(), "policy")).isEqualTo("user-writes");
        assertThat(own("posts", user)).isEmpty();

        String other = UUID.randomUUID().toString();
        assertOk(send("POST", "/reactions", body(other, "👍"), backend));
        assertOk(send("POST", "/reactions", one("👍"), token(user)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /reactions?IDS&viewer_id=USER",
                "GET /reactions?IDS&user_id=USER",
                "GET /reactions/users?IDS&viewer_id=USER",
                "GET /users/reactions?user_id=USER",
                "GET /users?user_id=USER",
                "GET /users/friends?user_id=USER",
                "POST /reactions/query QUERY"
            })
    void theViewersOfAKeyAreLimitedToo(String way) {
        assertLimited(way, key("limits: {user-reads: 2/24h}"), "user-reads", 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /reactions?if_exists=ok ONE",
                "PUT /reactions SET",
                "DELETE /reactions ONE",
                "POST /reactions/batch BATCH",
                "PUT /users?user_id=USER NAME",
                "PUT /users/friends?user_id=USER&friend_id=other",
                "DELETE /users/friends?user_id=USER&friend_id=other"
            })
    void theUsersOfAKeyAreLimitedToo(String way) {
        assertLimited(way, key("limits: {user-writes: 2/24h}"), "user-writes", 2);
    }

    @Test
    void theContestReportsARateLimitAsErrorCode429() {
        String backend = key("limits: {user-writes: 1/24h}");
        String target = "/pcc?action=is_like&oid=1&uid=" + Math.abs(user.hashCode());

        assertThat(send("GET", target, null, backend).json().path("error_code").intValue(0))
                .isNotEqualTo(429);
        Answer refused = send("GET", target, null, backend);

        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.json().get("error_code").intValue()).isEqualTo(429);
        assertThat(left(refused)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/users?user_id=USER", "/entities?IDS"})
    void erasuresHaveALimitOfTheirOwn(String target) {
        String eraser = entry(name("eraser"), "scopes: [erase]");
        String[] parts = parts("DELETE " + target);

        Answer refused = assertSpent(ERASURES, "erasures", () -> send(parts, eraser));

        var _ = assertRefused(refused, 429, "rate-limited");
    }

    @Test
    void aRequestFitsAgainAfterAWhile() {
        String backend = key("limits: {writes: 1/1s}");
        Wait.until("a request is refused", () -> write(backend), answer -> answer.status() == 429);

        var _ = Wait.until("one is served", () -> write(backend), answer -> answer.status() == 200);
    }

    private Answer write(String credential) {
        return send("POST", "/reactions?if_exists=ok", one("👍"), credential);
    }

    @Test
    void oneCallerDoesNotHoldAllImports() throws IOException {
        String name = name("loader");
        String loader = entry(name, "scopes: [transfer]");
        String other = entry(name("other"), "scopes: [transfer]");
        long before = newestJob(other);
        try (var held = new Socket("127.0.0.1", guarded.port())) {
            String head =
                    RawHttp.head(
                            "POST",
                            "/imports?kind=reactions",
                            "Content-Type: " + Imports.CSV,
                            "Content-Length: 100000",
                            "X-Api-Key: " + loader);
            held.getOutputStream()
                    .write((head + "\r\n" + Imports.HEADER).getBytes(StandardCharsets.UTF_8));

            Wait.until("the import has begun", () -> newestJob(other) > before);

            assertThat(text(assertRefused(load(loader), 429, "rate-limited"), "policy"))
                    .isEqualTo("imports");
            assertThat(load(other).status()).isEqualTo(202);
        }
        Wait.until("the import's units are back", () -> load(loader).status() == 202);
        assertThat(limited("imports", name)).isPositive();
    }

    @Test
    void oneCallerDoesNotHoldAllExports() throws Exception {
        String name = name("reader");
        String reader = entry(name, "scopes: [transfer]");
        String other = entry(name("other"), "scopes: [transfer]");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var lock = TwoInstances.database();
                var statement = lock.createStatement()) {
            lock.setAutoCommit(false);
            statement.execute("lock table friendship in access exclusive mode");
            var held = threads.submit(() -> export("friends", reader));
            Wait.until("the export waits for the lock", () -> isAwaited(statement));

            assertThat(text(assertProblem(export("users", reader), 429, "rate-limited"), "policy"))
                    .isEqualTo("exports");
            assertThat(export("users", other).status()).isEqualTo(200);

            lock.rollback();
            held.get();
        }
        Wait.until("the export's units are back", () -> export("users", reader).status() == 200);
        assertThat(limited("exports", name)).isPositive();
    }

    private static boolean isAwaited(Statement statement) throws SQLException {
        try (var rows =
                statement.executeQuery(
                        "select 1 from pg_locks"
                                + " where not granted and relation = 'friendship'::regclass"
                                + " and database = (select oid from pg_database"
                                + " where datname = current_database())")) {
            return rows.next();
        }
    }

    private Answer export(String kind, String key) {
        return send("GET", "/exports?kind=" + kind, null, key);
    }

    private long newestJob(String key) {
        return send("GET", "/jobs?limit=1", null, key).json().at("/jobs/0/job_id").asLong(0);
    }

    private static Answer load(String key) {
        return Imports.send(
                guarded, "kind=reactions", Imports.CSV, Imports.HEADER, "X-Api-Key", key);
    }

    @Test
    void refusalsAreCountedByPolicyAndCaller() {
        double users = limited("user-writes", "user");
        String ann = token(user);
        spend(WRITES, ann);
        String name = name("counted");
        String backend = entry(name, OF_BACKENDS, "limits: {writes: 1/24h}");
        assertThat(write(backend).status()).isEqualTo(200);

        for (int i = 0; i < 3; i++) {
            assertThat(write(ann).status()).isEqualTo(429);
            assertThat(write(backend).status()).isEqualTo(429);
        }

        assertThat(limited("user-writes", "user")).isEqualTo(users + 3);
        assertThat(limited("key-writes", name)).isEqualTo(3);
    }

    private static double limited(String policy, String principal) {
        return guarded.bean(MeterRegistry.class)
                .get("ovation.requests.limited")
                .tags("policy", policy, "principal", principal)
                .counter()
                .count();
    }

    private void spend(int units, String credential) {
        for (int i = 0; i < units; i++) {
            assertOk(write(credential));
        }
    }

    private static Matcher limit(Answer answer) {
        Matcher item = ITEM.matcher(String.valueOf(header(answer, "RateLimit")));
        assertThat(item.matches()).as(answer.toString()).isTrue();
        return item;
    }

    private static long left(Answer answer) {
        return Long.parseLong(limit(answer).group(2));
    }

    /** Method, target and body. */
    private String[] parts(String way) {
        String[] parts = way.split(" ");
        return new String[] {
            parts[0],
            parts[1].replace("IDS", ids()).replace("USER", user),
            parts.length < 3 ? null : body(parts[2])
        };
    }

    private String body(String kind) {
        return switch (kind) {
            case "ONE" -> one("👍");
            case "SET" -> Instance.setBody("posts", entity, user, List.of("👍"));
            case "BATCH" -> batch(entity, 1);
            case "NAME" -> "{\"display_name\":\"Ann\"}";
            case "QUERY" -> query(",\"viewer_id\":\"" + user + "\"");
            case "STRANGERS" -> query("");
            case "AMONG" ->
                    """
                    {"namespace_id":"posts","entity_ids":["e"],"among":["ann"]}
                    """;
            default -> "{}";
        };
    }

    private String query(String more) {
        return "{\"namespace_id\":\"posts\",\"entities\":[\"%s\"]%s}".formatted(entity, more);
    }

    private Answer send(String[] parts, String credential) {
        return send(parts[0], parts[1], parts[2], credential);
    }

    private Answer send(String method, String target, String body, String credential) {
        return exchange(method, target, body, "Authorization", "Bearer " + credential);
    }

    private Answer from(String address, String[] parts, String... headers) {
        String[] all =
                Stream.concat(Stream.of("X-Forwarded-For", address), Stream.of(headers))
                        .toArray(String[]::new);
        return exchange(parts[0], parts[1], parts[2], all);
    }

    /** Not judged if the path is encoded, because the document does not have it. */
    private static Answer exchange(String method, String target, String body, String... headers) {
        return target.contains("%72") || method.equals("HEAD")
                ? Instance.sendTo(guarded.port(), method, target, body, headers)
                : guarded.send(method, target, body, headers);
    }

    /** Adds of the user, each to an entity of its own. */
    private String batch(String prefix, int operations) {
        return Instance.batch(
                IntStream.range(0, operations)
                        .mapToObj(
                                i ->
                                        Instance.operation(
                                                "add", "posts", prefix + i + entity, user, "👍"))
                        .toList());
    }

    /** Number of these entities with a reaction of the user. */
    private long count(String prefix, int operations) {
        return IntStream.range(0, operations)
                .mapToObj(i -> own(service.read("posts", prefix + i + entity, user).json()))
                .filter(own -> !own.isEmpty())
                .count();
    }

    private String one(String reaction) {
        return body(user, reaction);
    }

    private String body(String who, String reaction) {
        return Instance.body("posts", entity, who, reaction);
    }

    private String ids() {
        return "namespace_id=posts&entity_id=" + entity;
    }

    /** A client address behind the proxy, of this test alone. */
    private static String address() {
        String hex = UUID.randomUUID().toString().replace("-", "");
        return "2001:db8:%s:%s::1".formatted(hex.substring(0, 4), hex.substring(4, 8));
    }

    /** A key that may act as any user; {@code limits} is a line of its entry. */
    private static String key(String... limits) {
        String[] members =
                Stream.concat(Stream.of(OF_BACKENDS), Stream.of(limits)).toArray(String[]::new);
        return entry(name("backend"), members);
    }

    private static String name(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    private static String entry(String id, String... members) {
        String key = keys.add(id, members);
        assertThat(
                        guarded.send(
                                        "POST",
                                        "/actuator/refresh?accept_loss=true",
                                        null,
                                        "X-Api-Key",
                                        operator)
                                .status())
                .isEqualTo(200);
        return key;
    }

    private static String token(String user) {
        return issuer.token(issuer.claims(user, SCOPES, Instant.now()));
    }
}
