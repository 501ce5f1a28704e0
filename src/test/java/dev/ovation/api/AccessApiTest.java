package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.ApiKey;
import dev.ovation.credential.TestIssuer;
import dev.ovation.credential.TestKeys;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Callers with a key and users with a token, at a service that requires credentials. */
@ExtendWith(TwoInstances.class)
class AccessApiTest extends ApiFixture {

    private static final String SCOPES =
            "reactions:read reactions:write crowds:read users:read users:write";

    @TempDir static Path folder;
    private static TestKeys keys;
    private static TestIssuer issuer;
    private static Instance guarded;
    private static String backend;
    private static String operator;

    @BeforeAll
    static void start() {
        issuer = new TestIssuer();
        keys = new TestKeys(folder.resolve("keys.yaml"));
        backend = keys.add("backend", "scopes: [" + SCOPES.replace(" ", ", ") + "]");
        operator = keys.add("operator", "scopes: [operate, configure, transfer, metrics, erase]");
        guarded = another().attached("X-Api-Key", operator);
    }

    private static Instance another() {
        return TwoInstances.beside(
                Stream.concat(
                                Stream.of(
                                        "ovation.access.keys=" + keys.file(),
                                        "ovation.limits.address=none",
                                        "ovation.access.anonymous=reactions:read",
                                        "ovation.pcc.enabled=true"),
                                Arrays.stream(issuer.settings()))
                        .toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        guarded.close();
        issuer.close();
    }

    @Test
    void aKeyActsAsAnyUser() {
        assertOk(send("POST", "/reactions", body("ann", "👍"), backend));
        assertOk(send("POST", "/reactions", body("bob", "👍"), backend));

        assertThat(details("posts").get("total").intValue()).isEqualTo(2);
    }

    /** The namespace is for members, by the roles in the token; those in the body do not count. */
    @Test
    void aClaimOfTheTokenReplacesAnAttributeOfTheBody() {
        String guest = claiming("ann", "roles", List.of("guest"));
        String member = claiming("ann", "roles", List.of("member"));
        String broken = claiming("ann", "roles", 7);
        String claims = ",\"attributes\":{\"roles\":[\"member\"]}}";
        String body = Instance.body("members", entity, "ann", "a");
        String pretending = body.substring(0, body.length() - 1) + claims;

        assertRefused(send("POST", "/reactions", pretending, guest), 403, "constraint-violated");
        assertRefused(send("POST", "/reactions", pretending, broken), 400, "malformed-request");
        assertRefused(send("POST", "/reactions", body, token("ann")), 403, "constraint-violated");
        assertOk(send("POST", "/reactions", body, member));
    }

    @Test
    void anAttributeOfTheTokenComesFromTheTokenAlone() {
        String body = Instance.body("staff", entity, "ann", "a");
        String pretending =
                body.substring(0, body.length() - 1) + ",\"attributes\":{\"roles\":[\"staff\"]}}";
        String staff = claiming("ann", "roles", List.of("staff"));

        for (String credential : List.of(token("ann"), staff, backend)) {
            assertViolations(
                    send("POST", "/reactions", pretending, credential), "attributes.roles");
        }
        assertRefused(send("POST", "/reactions", body, token("ann")), 403, "constraint-violated");
        assertRefused(send("POST", "/reactions", body, backend), 403, "constraint-violated");
        assertOk(send("POST", "/reactions", body, staff));
    }

    private static String claiming(String user, String claim, Object value) {
        return issuer.token(issuer.claims(user, SCOPES, Instant.now()).claim(claim, value));
    }

    @Test
    void aKeyMayComeInItsOwnHeader() {
        assertOk(guarded.send("POST", "/reactions", body("ann", "👍"), "X-Api-Key", backend));
        var _ =
                assertRefused(
                        guarded.send(
                                "POST", "/reactions", body("ann", "👍"), "X-Api-Key", token("ann")),
                        401,
                        "unauthenticated");
    }

    @Test
    void twoCredentialsAreOneTooMany() {
        String[] both = {"X-Api-Key", backend, "Authorization", "Bearer " + token("ann")};
        String[] twice = {"Authorization", "Bearer " + backend, "Authorization", "Bearer x"};

        assertViolations(guarded.send("GET", "/users?user_id=ann", null, both), "Authorization");
        assertViolations(guarded.send("GET", "/users?user_id=ann", null, twice), "Authorization");
    }

    @Test
    void aUserActsAsItselfWithOrWithoutItsUserId() {
        String ann = token("ann");
        String withoutUser = body("x", "👍").replace("\"user_id\":\"x\",", "");
        assertThat(withoutUser).doesNotContain("user_id");

        assertOk(send("POST", "/reactions", body("ann", "👍"), ann));
        // Not judged by the document, which requires the user because callers with a key must name
        // it.
        assertOk(
                Instance.sendTo(
                        guarded.port(),
                        "POST",
                        "/reactions?force=true",
                        withoutUser.replace("👍", "👎"),
                        "Authorization",
                        "Bearer " + ann));

        JsonNode own = send("GET", "/reactions?" + ids(), null, ann).json();
        assertThat(own.at("/user_reactions/user_id").stringValue()).isEqualTo("ann");
        assertThat(own(own)).containsExactly("👎");
        assertOk(send("DELETE", "/reactions?reaction_id=%F0%9F%91%8E&" + ids(), null, ann));
        assertThat(own("posts", "ann")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"viewer_id=", "user_id=", "viewer_id=&user_id="})
    void anEmptyViewerAsksForTheViewOfNoUser(String viewer) {
        JsonNode shown =
                send("GET", "/reactions?" + viewer + "&" + ids(), null, token("ann")).json();

        assertThat(shown.has("user_reactions")).isFalse();
        assertThat(shown.has("reactions_count")).isTrue();
    }

    /** In the body, in the query, and as the older name of the viewer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /reactions BODY",
                "DELETE /reactions BODY",
                "DELETE /reactions?user_id=bob&reaction_id=%F0%9F%91%8D&IDS",
                "DELETE /reactions?user_id=bob&reaction_id=%F0%9F%91%8D&IDS BODY",
                "POST /%72eactions BODY",
                "DELETE /%72eactions BODY",
                "PUT /%72eactions SET",
                "PUT /reactions SET",
                "GET /reactions?user_id=bob&IDS",
                "GET /reactions?viewer_id=bob&IDS",
                "GET /reactions?viewer_id=bob&user_id=bob&IDS",
                "GET /%72eactions?viewer_id=bob&IDS",
                "POST /reactions/query QUERY",
                "GET /reactions/users?viewer_id=bob&IDS",
                "GET /users/reactions?user_id=bob",
                "GET /users?user_id=bob",
                "PUT /users?user_id=bob NAME",
                "GET /users/friends?user_id=bob",
                "PUT /users/friends?user_id=bob&friend_id=ann",
                "PUT /users/friends?user_id=ann&friend_id=bob",
                "DELETE /users/friends?user_id=bob&friend_id=ann"
            })
    void aUserMayNotActAsAnotherUser(String line) {
        given("posts", "bob", "👍");
        String[] parts = line.split(" ");
        String body =
                parts.length < 3
                        ? null
                        : switch (parts[2]) {
                            case "BODY" -> body("bob", "👍");
                            case "SET" -> Instance.setBody("posts", entity, "bob", List.of());
                            case "NAME" -> "{\"display_name\":\"Mallory\"}";
                            default ->
                                    "{\"namespace_id\":\"posts\",\"viewer_id\":\"bob\",\"entities\":[\"e\"]}";
                        };

        Answer answer = send(parts[0], parts[1].replace("IDS", ids()), body, token("ann"));

        JsonNode problem = problem(answer, 403, "forbidden");
        assertThat(text(problem, "user_id")).isEqualTo("bob");
        assertThat(own("posts", "bob")).containsExactly("👍");
        assertThat(service.get("/users?user_id=bob").body()).doesNotContain("Mallory");
    }

    @Test
    void aBatchLosesOnlyTheOperationsOfOtherUsers() {
        var own = operation("ann", "👍");
        var others = operation("bob", "👍");
        var more = operation("ann", "🎉");
        String body = Instance.batch(List.of(own, others, more));

        JsonNode results = send("POST", "/reactions/batch", body, token("ann")).json();

        assertThat(results.at("/results").valueStream().map(each -> text(each, "outcome")))
                .containsExactly("applied", "refused", "applied");
        assertThat(text(results.at("/results/1/problem"), "code")).isEqualTo("forbidden");
        assertThat(text(results.at("/results/1/problem"), "user_id")).isEqualTo("bob");
        assertThat(own("posts", "ann")).containsExactlyInAnyOrder("👍", "🎉");
        assertThat(own("posts", "bob")).isEmpty();
    }

    @Test
    void aBatchOfOthersAloneChangesNothing() {
        String body = Instance.batch(List.of(operation("bob", "👍")));

        JsonNode results = send("POST", "/reactions/batch", body, token("ann")).json();

        assertThat(text(results.at("/results/0"), "outcome")).isEqualTo("refused");
        assertThat(own("posts", "bob")).isEmpty();
    }

    @Test
    void aKeyForOneNamespaceEntersNoOther() {
        String ratings = keys.add("ratings", "scopes: [reactions:read]", "namespaces: [ratings]");
        refresh();
        String entities =
                """
                {"namespace_id":"ratings","entities":["e",{"entity_id":"e","namespace_id":"posts"}]}
                """;

        assertThat(
                        send("GET", "/reactions?namespace_id=ratings&entity_id=e", null, ratings)
                                .status())
                .isEqualTo(200);
        JsonNode problem =
                problem(send("GET", "/reactions?" + ids(), null, ratings), 403, "forbidden");
        assertThat(text(problem, "namespace_id")).isEqualTo("posts");
        problem = problem(send("POST", "/reactions/query", entities, ratings), 403, "forbidden");
        assertThat(text(problem, "namespace_id")).isEqualTo("posts");
        problem =
                problem(
                        send("GET", "/configuration/namespace?namespace_id=none", null, ratings),
                        403,
                        "forbidden");
        assertThat(text(problem, "namespace_id")).isEqualTo("none");
    }

    @Test
    void newestReactorsNeedTheScopeCrowdsRead() {
        String screens = keys.add("screens", "scopes: [reactions:read]");
        refresh();
        String body = "{\"namespace_id\":\"posts\",\"entities\":[\"e\"],\"reactors\":%d}";

        assertThat(send("POST", "/reactions/query", body.formatted(0), screens).status())
                .isEqualTo(200);
        JsonNode problem =
                problem(
                        send("POST", "/reactions/query", body.formatted(1), screens),
                        403,
                        "forbidden");
        assertThat(text(problem, "scope")).isEqualTo("crowds:read");
    }

    @Test
    void peopleNeedTheScopeCrowdsReadUnlessOnlyTheirNumberIsWanted() {
        String screens = keys.add("screens", "scopes: [reactions:read]");
        refresh();
        String body = "{\"namespace_id\":\"posts\",\"entities\":[\"e\"],\"people\":{\"limit\":%d}}";
        String single = "/reactions?namespace_id=posts&entity_id=e&people=";

        assertThat(send("POST", "/reactions/query", body.formatted(0), screens).status())
                .isEqualTo(200);
        assertThat(send("GET", single + 0, null, screens).status()).isEqualTo(200);
        for (Answer answer :
                List.of(
                        send("POST", "/reactions/query", body.formatted(1), screens),
                        send("GET", single + 1, null, screens))) {
            assertThat(text(problem(answer, 403, "forbidden"), "scope")).isEqualTo("crowds:read");
        }
    }

    /** Signed by the issuer, but longer than tokens or headers may be. */
    @ParameterizedTest
    @CsvSource({"8192, 401, unauthenticated", "16384, 431, request-header-fields-too-large"})
    void aTokenThatIsTooLongIsRefused(int more, int status, String code) {
        String token =
                issuer.token(
                        issuer.claims("ann", SCOPES, Instant.now())
                                .claim("more", "x".repeat(more)));

        Answer answer = send("POST", "/reactions", body("ann", "👍"), token);

        assertThat(text(problem(answer, status, code), "outcome")).isEqualTo("refused");
        assertThat(own("posts", "ann")).isEmpty();
    }

    /** Several texts are one number; the user of a token is one of them. */
    @Test
    void theContestsUserIsTheTokensNumber() {
        String seven = token("7");

        assertThat(errorCode("/pcc?action=is_like&oid=1&uid=8", seven)).isEqualTo(403);
        assertThat(errorCode("/pcc?action=is_like&oid=1&uid=7", token("07"))).isEqualTo(403);
        assertThat(errorCode("/pcc?action=is_like&oid=1&uid=007", seven)).isNotEqualTo(403);
        assertThat(errorCode("/pcc?action=is_like&oid=1", seven)).isNotEqualTo(400);
    }

    /** Lists of the contest contain users, like those of the service. */
    @Test
    void theContestsListsNeedTheScopeOfLists() {
        String likes = keys.add("likes", "scopes: [reactions:write]");
        refresh();

        assertThat(errorCode("/pcc?action=list&oid=1", likes)).isEqualTo(403);
        assertThat(errorCode("/pcc?action=list&oid=1", backend)).isNotEqualTo(403);
    }

    /** Spring would read them whole before the check of the scope. */
    @Test
    void bodiesOfEndpointsAreNotRead() {
        String[] json = {"Content-Type", "application/json"};
        String[] operators = {
            "Content-Type", "application/json", "Authorization", "Bearer " + operator
        };

        assertThat(Instance.sendTo(guarded.port(), "GET", "/livez", "{", json).status())
                .isEqualTo(200);
        assertThat(Instance.sendTo(guarded.port(), "POST", "/actuator/refresh", "{", json).status())
                .isEqualTo(401);
        assertThat(
                        Instance.sendTo(guarded.port(), "POST", "/actuator/refresh", "{", operators)
                                .status())
                .isEqualTo(200);
    }

    @Test
    void aContestUserMayNotLikeForAnotherUser() {
        String like = "/pcc?action=like&oid=4711&uid=8";

        assertThat(errorCode(like, token("7"))).isEqualTo(403);
        assertThat(send("POST", like, null, token("7")).json().get("error_code").intValue())
                .isEqualTo(403);

        JsonNode liked = send("GET", like.replace("like", "is_like"), null, token("8")).json();
        assertThat(liked.get("is_like").intValue()).isZero();
    }

    private int errorCode(String target, String credential) {
        Answer answer = send("GET", target, null, credential);
        assertThat(answer.status()).isEqualTo(200);
        return answer.json().path("error_code").intValue(0);
    }

    @Test
    void anonymousCallersReadOnlyViewsWithoutAUser() {
        Answer everybody = guarded.get("/reactions?" + ids());
        Answer key = send("GET", "/reactions?" + ids(), null, backend);

        assertThat(everybody.status()).isEqualTo(200);
        assertThat(header(everybody, "Cache-Control")).startsWith("public");
        assertThat(header(everybody, "Vary")).isEqualTo("Authorization, X-Api-Key");
        assertThat(header(key, "Cache-Control")).startsWith("private");
        assertThat(guarded.get("/reactions?user_id=ann&" + ids()).status()).isEqualTo(401);
        assertThat(guarded.get("/users?user_id=ann").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/actuator/nothing", "/users/nothing"})
    void anonymousCallersCannotProbePaths(String path) {
        assertThat(guarded.get(path).status()).isEqualTo(401);
        assertThat(send("GET", path, null, backend).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "OPTIONS", "PATCH", "INVENTED"})
    void otherMethodsAreNoWayIn(String method) {
        Answer answer = Instance.sendTo(guarded.port(), method, "/users?user_id=ann", null);

        assertThat(answer.status()).isEqualTo(401);
        assertThat(header(answer, "Allow")).isNull();
    }

    /** Spring reads the type before it invokes an endpoint, also for unmapped paths. */
    @ParameterizedTest
    @CsvSource({"/actuator/prometheus, *", "/actuator/nothing, */*", "/nothing, */*"})
    void aTypeThatNamesSeveralIsNoFaultOfTheService(String path, String type) {
        String[] known = {"Content-Type", type, "X-Api-Key", operator};

        assertThat(guarded.send("GET", path, null, "Content-Type", type).status()).isEqualTo(401);
        assertViolations(guarded.send("GET", path, null, known), "Content-Type");
    }

    @Test
    void healthShowsItsDetailsToOperatorsOnly() {
        Answer stranger = guarded.get("/actuator/health/readiness");
        Answer operators = send("GET", "/actuator/health", null, operator);

        assertThat(stranger.body()).isEqualTo("{\"status\":\"UP\"}");
        assertThat(guarded.get("/livez").body()).isEqualTo("{\"status\":\"UP\"}");
        assertThat(guarded.get("/readyz").body()).isEqualTo("{\"status\":\"UP\"}");
        assertThat(guarded.get("/actuator/health").status()).isEqualTo(401);
        assertThat(guarded.get("/actuator/health/redis").status()).isEqualTo(401);
        assertThat(operators.json().at("/components/redis/status").stringValue()).isEqualTo("UP");
    }

    @Test
    void aRefreshPutsKeysInForceAndTakesThemBack() {
        String once = ApiKey.create("once");
        assertThat(send("GET", "/reactions?" + ids(), null, once).status()).isEqualTo(401);

        keys.store(once, "once", "scopes: [reactions:read]");
        refresh();
        assertThat(send("GET", "/reactions?" + ids(), null, once).status()).isEqualTo(200);

        keys.remove("once");
        refresh();
        assertThat(send("GET", "/reactions?" + ids(), null, once).status()).isEqualTo(401);
    }

    @Test
    void aRevokedKeyEndsOnEachInstanceWithoutARefresh() {
        try (Instance other = another()) {
            String leaked = keys.add("leaked", "scopes: [users:read]");
            for (Instance each : List.of(guarded, other)) {
                Wait.until("the key is accepted", () -> statusOf(leaked, each) == 200);
            }

            keys.remove("leaked");

            for (Instance each : List.of(guarded, other)) {
                Wait.until("the key is refused", () -> statusOf(leaked, each) == 401);
            }
            assertThat(statusOf(backend, other)).isEqualTo(200);
        }
    }

    private static int statusOf(String key, Instance at) {
        return at.send("GET", "/users?user_id=ann", null, "X-Api-Key", key).status();
    }

    @Test
    void aSpoiltFileOfKeysIsRefusedAndChangesNothing() {
        keys.spoil();
        try {
            var _ =
                    assertRefused(
                            send("POST", "/actuator/refresh", null, operator),
                            422,
                            "invalid-configuration");
            assertThat(send("GET", "/reactions?" + ids(), null, backend).status()).isEqualTo(200);
        } finally {
            keys.add("mended", "scopes: [erase]");
            refresh();
        }
    }

    private void refresh() {
        assertThat(send("POST", "/actuator/refresh?accept_loss=true", null, operator).status())
                .isEqualTo(200);
    }

    private Answer send(String method, String target, String body, String credential) {
        return guarded.send(method, target, body, "Authorization", "Bearer " + credential);
    }

    private String body(String user, String reaction) {
        return Instance.body("posts", entity, user, reaction);
    }

    private Map<String, String> operation(String user, String reaction) {
        return Map.of(
                "op", "add",
                "namespace_id", "posts",
                "entity_id", entity,
                "user_id", user,
                "reaction_id", reaction);
    }

    private String ids() {
        return "namespace_id=posts&entity_id=" + entity;
    }

    private static String token(String user) {
        return issuer.token(issuer.claims(user, SCOPES, Instant.now()));
    }
}
