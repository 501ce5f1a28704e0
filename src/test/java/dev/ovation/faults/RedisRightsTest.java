package dev.ovation.faults;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.RedisUser;
import dev.ovation.testing.Wait;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rights of {@code docker/production/redis.acl} suffice for the service, and are few. */
@Beside
class RedisRightsTest {

    private static final int CROWD = 4;
    private static final Pattern SCRIPT =
            Pattern.compile("ovation_script_duration_seconds_count\\{.*script=\"(\\w+)\".*} (.*)");

    /** Commands with which Lettuce sets its name and version; it ignores their refusal. */
    private static final Set<String> HARMLESS = Set.of("client", "client|setinfo");

    private static Stage stage;
    private static Instance service;
    private static RedisClient client;
    private static RedisCommands<String, String> user;

    /** A Redis of its own for the refused commands, which its ACL LOG would name as well. */
    private static RedisProcess unused;

    private static RedisClient intruder;
    private static RedisCommands<String, String> intruding;

    /** Keeps its data, so that a restart leaves keys of older epochs to be swept. */
    @BeforeAll
    static void start() {
        stage = Stage.open("--appendonly", "yes");
        service =
                stage.start(
                        Stage.settings(
                                Stage.PATIENT,
                                "ovation.internal.hot.complete-limit=" + CROWD,
                                "ovation.internal.hot.partial-limit=" + 2 * CROWD,
                                "ovation.near-cache.max-age=0"));
        client = RedisClient.create(RedisUser.uri(stage.redisProcess.uri()));
        user = client.connect().sync();
        unused = RedisProcess.start();
        intruder = RedisClient.create(RedisUser.uri(unused.uri()));
        intruding = intruder.connect().sync();
    }

    @AfterAll
    static void stop() {
        intruder.shutdown();
        unused.close();
        client.shutdown();
        stage.close();
    }

    @Test
    void theServiceNeedsNoOthersThroughItsLife() {
        live("before");
        assertThat(refused()).isEmpty();

        stage.redisProcess.kill();
        stage.redisProcess.restart();
        Parts.awaitAccepted(() -> service.add(POSTS, "restarted", "ann", "👍"));
        service.attached();
        Wait.until("old keys are swept", () -> scripts().contains("sweep"));

        live("after");
        assertThat(refused()).isEmpty();
        assertThat(scripts())
                .contains(
                        "ack",
                        "anonymize",
                        "configure",
                        "inspect",
                        "install",
                        "install_users",
                        "open",
                        "progress",
                        "react",
                        "read",
                        "sweep");
        stage.assertSound();
    }

    private static void live(String entity) {
        assertOk(service.add(POSTS, entity, "ann", "👍"));
        assertOk(
                service.send(
                        "DELETE",
                        "/reactions",
                        Instance.body(POSTS, entity, "ann", "👍"),
                        "Idempotency-Key",
                        "key-" + entity,
                        "Prefer",
                        "return=representation"));
        assertOk(
                service.send(
                        "PUT",
                        "/reactions",
                        Instance.setBody(POSTS, entity, "ann", List.of("👍", "🔥"))));
        stage.evict(entity);
        assertThat(Stage.own(service.read(POSTS, entity, "ann")))
                .containsExactlyInAnyOrder("👍", "🔥");

        for (int i = 0; i <= CROWD; i++) {
            assertOk(service.add(NOTES, "crowd " + entity, "user" + i, "👍"));
        }
        stage.evict("crowd " + entity);
        for (int i = 0; i <= CROWD; i++) {
            assertThat(Stage.own(service.read(NOTES, "crowd " + entity, "user" + i)))
                    .containsExactly("👍");
        }
        assertOk(
                service.send(
                        "POST",
                        "/configuration",
                        Stage.rulesWith("more-" + entity, 3),
                        "Content-Type",
                        "application/yaml"));
        Imports.run(
                service,
                "kind=reactions",
                Imports.everywhere(POSTS, List.of(entity, "imported " + entity), 3));
        stage.awaitDrained();
        var audit = new Audits(service).audit("sample=100");
        assertThat(audit.at("/checked").asInt()).isPositive();
        assertThat(audit.at("/drift")).isEmpty();
        Erasures.user(service, "ann");
        assertThat(Stage.own(service.read(POSTS, entity, "ann"))).isEmpty();
        Erasures.entity(service, NOTES, "crowd " + entity);
    }

    private static void assertOk(Instance.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    /** Commands of the service's user that Redis has refused since its start. */
    private static Set<String> refused() {
        var refused = new TreeSet<String>();
        for (Map<String, Object> entry : stage.redis().aclLog()) {
            String what = String.valueOf(entry.get("object"));
            if (!HARMLESS.contains(what)) {
                refused.add(entry.get("reason") + " " + what);
            }
        }
        return refused;
    }

    private static Set<String> scripts() {
        var scripts = new TreeSet<String>();
        service.get("/actuator/prometheus")
                .body()
                .lines()
                .map(SCRIPT::matcher)
                .filter(line -> line.matches() && Double.parseDouble(line.group(2)) > 0)
                .forEach(line -> scripts.add(line.group(1)));
        return scripts;
    }

    @ParameterizedTest
    @MethodSource
    void accessThatTheServiceDoesNotNeedIsDenied(Forbidden command) {
        assertThatThrownBy(() -> command.run.accept(intruding))
                .isInstanceOf(RedisCommandExecutionException.class)
                .message()
                .containsAnyOf("permission", "can't run", "can't access", "No permissions");
    }

    private record Forbidden(String name, Consumer<RedisCommands<String, String>> run) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Forbidden> accessThatTheServiceDoesNotNeedIsDenied() {
        return Stream.of(
                new Forbidden("FLUSHALL", redis -> redis.flushall()),
                new Forbidden("FLUSHDB", redis -> redis.flushdb()),
                new Forbidden("CONFIG GET", redis -> redis.configGet("*")),
                new Forbidden("CONFIG SET", redis -> redis.configSet("maxmemory", "1")),
                new Forbidden("KEYS", redis -> redis.keys("*")),
                new Forbidden("DEL", redis -> redis.del(RedisSchema.meta(0))),
                new Forbidden("REPLICAOF", redis -> redis.replicaof("127.0.0.1", 1)),
                new Forbidden("SCRIPT FLUSH", redis -> redis.scriptFlush()),
                new Forbidden("CLIENT LIST", redis -> redis.clientList()),
                new Forbidden("SAVE", redis -> redis.save()),
                new Forbidden("ACL LIST", redis -> redis.aclList()),
                new Forbidden("another key", redis -> redis.get("session:1")),
                new Forbidden("another key, written", redis -> redis.set("session:1", "x")),
                new Forbidden(
                        "another key, named to a script",
                        redis ->
                                redis.eval(
                                        "return redis.call('GET', KEYS[1])",
                                        ScriptOutputType.VALUE,
                                        "session:1")),
                new Forbidden(
                        "another key, within a script",
                        redis ->
                                redis.eval(
                                        "return redis.call('GET', 'session:1')",
                                        ScriptOutputType.VALUE)),
                new Forbidden("another channel", redis -> redis.publish("orders", "x")),
                new Forbidden(
                        "another channel, listened to",
                        _ -> {
                            try (var connection = intruder.connectPubSub()) {
                                connection.sync().subscribe("orders");
                            }
                        }));
    }

    /** Shows that the test can fail: the same user can use the commands of the service. */
    @Test
    void accessThatTheServiceNeedsIsGranted() {
        KeyScanCursor<String> found = user.scan();
        assertThat(found.getKeys()).isNotNull();
        assertThat(user.hget(RedisSchema.meta(0), "epoch")).isNotBlank();
        assertThat(user.publish("ovation:cursors:nobody", "")).isZero();
    }
}
