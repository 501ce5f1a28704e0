package dev.ovation.openapi;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;

import dev.ovation.access.Scope;
import dev.ovation.credential.ApiKey;
import dev.ovation.credential.TestIssuer;
import dev.ovation.credential.TestKeys;
import dev.ovation.openapi.AccessTable.Caller;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.Stored;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.Wait;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Services that require credentials, their servers, and credentials of each kind of caller. */
final class Guarded implements AutoCloseable {

    /** The user of {@link Caller#OWN}; a number, like the contest's users. */
    static final String USER = "7";

    /** A user other than that of the token. */
    static final String OTHER_USER = "8";

    private final RedisProcess redis = RedisProcess.start();
    private final String url = TestPostgres.url();
    private final TestIssuer issuer = new TestIssuer();
    private final List<Instance> instances = new ArrayList<>();
    private final Map<Scope, String> keysWithout = new EnumMap<>(Scope.class);

    /** Created once each: a signature takes 20 ms. */
    private final Map<Caller, Map<Scope, List<String>>> credentials = new EnumMap<>(Caller.class);

    private final Path rules;
    private final TestKeys keys;
    private final String expired;
    private final String elsewhere;
    private final String backend;
    private final String operator;

    final Stored stored = new Stored(url, redis.uri());

    Guarded(Path folder) {
        rules = folder.resolve("rules");
        TestRules.shared().writeTo(rules);
        keys = new TestKeys(folder.resolve("keys.yaml"));
        expired = keys.add("expired", scopes(_ -> true), "expires: 2026-01-01");
        backend = keys.add("backend", scopes(Guarded::isOfUsers));
        operator = keys.add("operator", scopes(scope -> !isOfUsers(scope)));
        elsewhere =
                keys.add(
                        "elsewhere",
                        scopes(scope -> !scope.isForAllNamespaces()),
                        "namespaces: [elsewhere]");
        for (Scope scope : Scope.values()) {
            String id = "all-but-" + scope.label().replace(':', '-');
            keysWithout.put(scope, keys.add(id, scopes(each -> each != scope)));
        }
    }

    /** Whether users' tokens and backends have the scope, and operators do not. */
    static boolean isOfUsers(Scope scope) {
        return scope != Scope.PUBLIC && !scope.isForOperators();
    }

    /** Starts a service, and waits until it accepts requests. */
    Instance start(String... settings) {
        String[] access =
                Stream.concat(
                                Arrays.stream(issuer.settings()),
                                Stream.of(
                                        "ovation.access.keys=" + keys.file(),
                                        "ovation.limits.address=none",
                                        "ovation.limits.user-reads=none",
                                        "ovation.limits.user-writes=none",
                                        "ovation.limits.erasures=none",
                                        "ovation.internal.live.longest=0s",
                                        "ovation.pcc.enabled=true"))
                        .toArray(String[]::new);
        Instance started =
                Instance.start(
                        url,
                        redis.uri(),
                        rules,
                        Patience.longWith(Patience.settings(access, settings)));
        instances.add(started);
        Wait.until("reads can be answered", () -> started.get("/readyz").status() == 200);
        return started;
    }

    /** Names and values of the headers of an operator. */
    String[] asOperator() {
        return new String[] {"Authorization", "Bearer " + operator};
    }

    /** Names and values of the headers of a backend. */
    String[] asBackend() {
        return new String[] {"Authorization", "Bearer " + backend};
    }

    /**
     * The credentials of this caller; an empty one is none.
     *
     * @param scope that is required
     */
    List<String> credentials(Caller caller, Scope scope) {
        return credentials
                .computeIfAbsent(caller, _ -> new EnumMap<>(Scope.class))
                .computeIfAbsent(scope, _ -> create(caller, scope));
    }

    private List<String> create(Caller caller, Scope scope) {
        return switch (caller) {
            case NONE -> List.of("");
            case WRONG ->
                    List.of(
                            backend + "x",
                            ApiKey.create("backend"),
                            "ovk_",
                            "x",
                            token(USER, _ -> true) + "x",
                            new PlainJWT(claims(USER, _ -> true).build()).serialize(),
                            TestIssuer.token(
                                    claims(USER, _ -> true), TestIssuer.unpublished("first")));
            case EXPIRED ->
                    List.of(
                            expired,
                            issuer.token(
                                    claims(USER, _ -> true)
                                            .expirationTime(Date.from(Instant.now()))));
            case LACKING -> List.of(keysWithout.get(scope), token(USER, each -> each != scope));
            case ELSEWHERE ->
                    List.of(
                            elsewhere,
                            issuer.token(
                                    claims(USER, _ -> true)
                                            .claim("ovation_namespaces", List.of("elsewhere"))));
            case OWN, OTHER -> List.of(token(USER, _ -> true));
            case BACKEND -> List.of(backend);
            case OPERATOR -> List.of(operator);
        };
    }

    private String token(String user, Predicate<Scope> which) {
        return issuer.token(claims(user, which));
    }

    private JWTClaimsSet.Builder claims(String user, Predicate<Scope> which) {
        Instant now = Instant.now();
        return issuer.claims(user, labels(which, " "), now)
                .expirationTime(Date.from(now.plus(Duration.ofHours(2))));
    }

    private static String scopes(Predicate<Scope> which) {
        return "scopes: [" + labels(which, ", ") + "]";
    }

    private static String labels(Predicate<Scope> which, String between) {
        return Arrays.stream(Scope.values())
                .filter(scope -> scope != Scope.PUBLIC && which.test(scope))
                .map(Scope::label)
                .collect(Collectors.joining(between));
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        stored.close();
        issuer.close();
        redis.close();
    }
}
