package dev.ovation.faults.alerts;

import static dev.ovation.testing.Imports.CSV;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestKeys;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Ports;
import dev.ovation.testing.RedisUser;
import dev.ovation.testing.TcpProxy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Faults of links, callers, rules and jobs. */
@Alerting
class RequestAlertsTest {

    private static final int CONNECTIONS = 120;

    /** More than four fifths, without those of the load. */
    private static final int OPEN = 97;

    /** Of the second instance, which ends and starts again. */
    private static final int PORT = Ports.free();

    @TempDir static Path folder;
    private static AlertBench bench;
    private static Stage stage;
    private static TcpProxy toRedis;
    private static Instance first;
    private static Instance second;

    /** The first one reaches its servers through proxies. */
    @BeforeAll
    static void start() throws IOException {
        bench = new AlertBench();
        stage = bench.stage;
        for (String file :
                new String[] {"reactions.yaml", "reaction_sets.yaml", "namespaces.yaml"}) {
            Files.copy(Stage.CONFIG.resolve(file), folder.resolve(file));
        }
        toRedis = TcpProxy.before(stage.redisProcess.uri());
        first =
                stage.launchBehindProxy(
                                "spring.data.redis.url="
                                        + RedisUser.uri(toRedis.through(stage.redisProcess.uri())),
                                "ovation.requests.reads=8",
                                "server.tomcat.max-connections=" + CONNECTIONS,
                                "server.tomcat.keep-alive-timeout=10m")
                        .attached();
        startSecond();
        watchBoth();
        bench.load(first);
    }

    private static void startSecond() {
        second = stage.start("ovation.config-dir=" + folder, "server.port=" + PORT);
    }

    private static void watchBoth() {
        bench.prometheus.watch(first.port(), second.port());
    }

    @AfterAll
    static void stop() {
        bench.close();
        toRedis.close();
    }

    @Fires({"CommitSlow", "ReadsSlow", "WritesSlow", "Crowded"})
    void aSlowLinkToRedis(TestInfo test) throws Exception {
        bench.shows(test, () -> toRedis.delay(200), toRedis::mend);
    }

    @Fires("ConnectionsFull")
    void connectionsThatStayOpen(TestInfo test) throws Exception {
        var sockets = new ArrayList<Socket>();
        byte[] request =
                "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        bench.shows(
                test,
                () -> {
                    for (int i = 0; i < OPEN; i++) {
                        var socket = new Socket("127.0.0.1", first.port());
                        sockets.add(socket);
                        socket.getOutputStream().write(request);
                        assertThat(socket.getInputStream().read()).isEqualTo('H');
                    }
                },
                () -> {
                    for (Socket socket : sockets) {
                        socket.close();
                    }
                });
    }

    /** It does not learn of the rules that the other one takes into force. */
    @Fires("RulesDiffer")
    void anInstanceThatCannotReadTheRules(TestInfo test) throws Exception {
        bench.shows(
                test,
                () -> {
                    stage.proxy().blackHole();
                    var answer =
                            second.send(
                                    "POST",
                                    "/configuration",
                                    Stage.rulesWith("more", 5),
                                    "Content-Type",
                                    "application/yaml");
                    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                },
                stage.proxy()::mend);
    }

    @Fires("RulesFail")
    void aFileOfRulesThatIsBroken(TestInfo test) throws Exception {
        Path file = folder.resolve("namespaces.yaml");
        String sound = Files.readString(file);
        bench.shows(
                test,
                () -> {
                    Files.writeString(file, "- {id: [");
                    assertThat(refresh().status()).isBetween(400, 499);
                },
                () -> Files.writeString(file, sound));
    }

    private static Instance.Answer refresh() {
        return second.send("POST", "/actuator/refresh", null);
    }

    @Fires("InstanceDown")
    void anInstanceThatEnds(TestInfo test) throws Exception {
        bench.shows(test, () -> second.close(), RequestAlertsTest::startSecond);
    }

    @Fires("AccessOpen")
    void anInstanceThatServesAllCallers(TestInfo test) throws Exception {
        try (var open = stage.start("ovation.access.mode=open", "server.address=127.0.0.1")) {
            bench.shows(
                    test,
                    () -> bench.prometheus.watch(first.port(), second.port(), open.port()),
                    RequestAlertsTest::watchBoth);
        }
    }

    /** One caller has a key that is not known, another one calls more often than its key allows. */
    @Fires({"CredentialsRefused", "CallerLimited"})
    void callersThatAreRefused(TestInfo test) throws Exception {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        String limited = keys.add("limited", "scopes: [reactions:read]", "limits: {reads: 1/10s}");
        Instance guarded =
                stage.launch(
                        "ovation.access.keys=" + keys.file(),
                        "ovation.access.anonymous=metrics",
                        "ovation.limits.address=none");
        var calling = new AtomicBoolean(true);
        bench.prometheus.watch(first.port(), second.port(), guarded.port());
        try {
            bench.shows(
                    test,
                    () ->
                            bench.load(
                                    (client, _) -> {
                                        String key = client == 0 ? limited : "unknown";
                                        String path = "/reactions?namespace_id=notes&entity_id=1";
                                        for (int i = 0; i < 3 && calling.get(); i++) {
                                            var _ =
                                                    guarded.send(
                                                            "GET", path, null, "X-Api-Key", key);
                                        }
                                    }),
                    () -> calling.set(false));
        } finally {
            watchBoth();
        }
    }

    /** Postgres refuses a row of both. */
    @Fires({"ImportFailed", "ErasureFailed", "ErrorsLogged"})
    void aConstraintThatJobsBreak(TestInfo test) throws Exception {
        var _ = Imports.run(second, "kind=users", "user_id,display_name\nann,Ann\n");
        stage.sql.execute(
                """
                create function refused() returns trigger language plpgsql as
                $$ begin raise exception 'no' using errcode = '23514'; end $$
                """);
        bench.shows(
                test,
                () -> {
                    stage.sql.execute(
                            """
                            create trigger refused before insert or update or delete on user_profile
                            for each row execute function refused()
                            """);
                    var _ =
                            Imports.send(
                                    second, "kind=users", CSV, "user_id,display_name\nben,Ben\n");
                    var _ = second.send("DELETE", Erasures.ofUser("ann"), null);
                },
                () -> stage.sql.execute("drop trigger refused on user_profile"));
    }
}
