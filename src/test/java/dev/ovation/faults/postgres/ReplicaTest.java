package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.postgres.WithReplica.add;
import static dev.ovation.faults.postgres.WithReplica.awaitRead;
import static dev.ovation.faults.postgres.WithReplica.given;
import static dev.ovation.faults.postgres.WithReplica.health;
import static dev.ovation.faults.postgres.WithReplica.list;
import static dev.ovation.faults.postgres.WithReplica.listed;
import static dev.ovation.faults.postgres.WithReplica.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestIssuer;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;

/** Lists, crowds and exports come from a standby while it follows, and within the bound. */
@Beside
@Tag("embedded")
class ReplicaTest {

    private static final Duration BOUND = Duration.ofSeconds(3);

    private static WithReplica servers;

    /** Its bound is beyond all pauses of these tests, so that only rules lead to the primary. */
    private static Instance patient;

    private static Instance service;

    @BeforeAll
    static void open() {
        servers = new WithReplica();
        service = servers.start(BOUND.toSeconds() + "s");
        patient = servers.start("10m", "ovation.audit.rate=0");
    }

    @AfterAll
    static void close() {
        servers.close();
    }

    @AfterEach
    void follows() {
        servers.resume();
        servers.join();
        servers.awaitFollowed();
    }

    @Test
    void whereReplayStopsTheBoundIsKeptAndReadsComeBack(TestInfo test) {
        assertBoundKept(test.getDisplayName(), servers::pause, servers::resume);
    }

    /** It has applied all that it received, and is old. */
    @Test
    void whereTheStandbyIsCutOffTheBoundIsKeptAndReadsComeBack(TestInfo test) {
        assertBoundKept(test.getDisplayName(), servers::cutOff, servers::join);
    }

    private static void assertBoundKept(String entity, Runnable stop, Runnable goOn) {
        int[] users = new int[1];
        long[] acknowledged = new long[1];
        Wait.until(
                "a list lacks a change, so it comes from the standby",
                () -> {
                    goOn.run();
                    add(service, entity, "user-" + ++users[0]);
                    awaitRead(service, "list", "replica", () -> listed(service, entity));
                    stop.run();
                    add(service, entity, "user-" + ++users[0]);
                    acknowledged[0] = System.nanoTime();
                    return !listed(service, entity).contains("user-" + users[0]);
                });

        Wait.until(
                "the list has the change",
                () -> {
                    long asked = System.nanoTime();
                    boolean has = listed(service, entity).contains("user-" + users[0]);
                    assertThat(has || asked - acknowledged[0] <= BOUND.toNanos())
                            .as("older than the bound")
                            .isTrue();
                    return has;
                });
        Wait.until("health says so", () -> "false".equals(health(service).get("read")));
        Wait.until("health has the reason", () -> health(service).getOrDefault("reason", "") != "");
        assertThat(Double.parseDouble(health(service).get("staleness_ms")))
                .isGreaterThan(BOUND.toMillis());

        goOn.run();
        awaitRead(service, "list", "replica", () -> listed(service, entity));
        Wait.until("health has no reason", () -> !health(service).containsKey("reason"));
    }

    @Test
    void aUsersOwnListsNeverGoBackInTime(TestInfo test) {
        String entity = test.getDisplayName();
        add(service, entity, "ann");
        awaitRead(patient, "list", "replica", () -> listed(patient, entity));
        servers.awaitFollowed();
        servers.pause();
        for (int i = 0; i < 20; i++) {
            String user = "own-" + i;
            add(i % 2 == 0 ? service : patient, entity, user);

            for (Instance any : List.of(patient, service)) {
                assertThat(given(any, user)).contains(entity);
                assertThat(users(list(any, entity, "&viewer_id=" + user))).contains(user);
            }
            awaitStandby("a list without it", () -> !listed(patient, entity).contains(user));
        }
    }

    @Test
    void aPageIsNeverOlderThanTheFirstOneWhicheverServerAndInstanceAnswered(TestInfo test) {
        String entity = test.getDisplayName();
        // One instance has no standby, the other never reaches it.
        var alone = servers.stage.start(Stage.PATIENT);
        var apart = servers.startOn("jdbc:postgresql://127.0.0.1:1/none", "10m");
        add(service, entity, "first");
        awaitRead(patient, "list", "replica", () -> listed(patient, entity));
        servers.awaitFollowed();
        servers.pause();
        add(service, entity, "second");
        add(service, entity, "third");
        awaitStandby("the first alone", () -> listed(patient, entity).equals(List.of("first")));

        for (Instance one : List.of(alone, apart)) {
            var page = list(one, entity, "&limit=1");
            assertThat(users(page)).containsExactly("third");
            assertThat(users(next(patient, entity, page))).containsExactly("second");
        }
        servers.resume();
        servers.awaitFollowed();
        var page = list(patient, entity, "&limit=1");
        awaitRead(patient, "list", "replica", () -> next(patient, entity, page));
        assertThat(users(next(patient, entity, page))).containsExactly("second");
        assertThat(users(next(alone, entity, page))).containsExactly("second");
    }

    /** A read that fails on the standby is answered by the primary, as on a busy machine. */
    private static void awaitStandby(String shows, Callable<Boolean> isOld) {
        Wait.until("the paused standby shows " + shows, isOld);
    }

    private static Instance.Answer next(Instance service, String entity, Instance.Answer page) {
        return list(
                service, entity, "&limit=1&cursor=" + page.json().at("/next_cursor").asString());
    }

    @Test
    void queriesOfCrowdsComeFromTheStandby(TestInfo test) {
        String entity = test.getDisplayName();
        add(service, entity, "ann");
        servers.awaitFollowed();
        awaitRead(patient, "crowd", "replica", () -> found(patient, entity));
        servers.pause();
        add(service, entity, "ben");

        awaitStandby("one of two users", () -> found(patient, entity) == 1);
        servers.resume();
        Wait.until("the standby has followed", () -> found(patient, entity) == 2);
    }

    @Test
    void aUserFindsTheirOwnReactionAmongOthers(TestInfo test) throws Exception {
        String entity = test.getDisplayName();
        add(service, entity, "ann");
        servers.awaitFollowed();
        try (var issuer = new TestIssuer();
                var guarded =
                        servers.launchOn(
                                servers.standby.urlOf(servers.stage.url),
                                "10m",
                                Stage.settings(
                                        issuer.settings(),
                                        "ovation.access.anonymous=crowds:read,metrics"))) {
            awaitRead(guarded, "crowd", "replica", () -> found(guarded, entity));
            servers.pause();
            add(service, entity, "ben");
            String token = issuer.token(issuer.claims("ben", "crowds:read", Instant.now()));

            awaitStandby("one of two users", () -> found(guarded, entity) == 1);
            assertThat(found(guarded, entity, "Authorization", "Bearer " + token)).isEqualTo(2);
        }
    }

    private static int found(Instance service, String entity, String... headers) {
        var answer =
                service.send(
                        "POST",
                        "/reactions/users/query",
                        """
                        {"namespace_id": "%s", "entity_ids": ["%s"], "among": ["ann", "ben"]}
                        """
                                .formatted(NOTES, entity),
                        headers);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().at("/entities/0/count").asInt();
    }

    @Test
    void anExportHasAllThatWasCommittedBeforeIt(TestInfo test) {
        String entity = test.getDisplayName();
        for (int i = 0; i < 2; i++) {
            add(service, entity, "user-" + i);
            assertThat(export()).contains(entity + ",user-" + i + ",");
        }
        awaitRead(patient, "export", "replica", ReplicaTest::export);
        servers.pause();
        add(service, entity, "late");
        assertThat(export()).contains(entity + ",late,");
        assertThat(patient.get("/exports?user_id=late").body()).contains(entity);
    }

    private static String export() {
        var answer = patient.get("/exports?kind=reactions&namespace_id=" + NOTES);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void aLostStandbyIsNoOutage(TestInfo test) {
        String entity = test.getDisplayName();
        add(service, entity, "ann");
        awaitRead(patient, "list", "replica", () -> listed(patient, entity));
        servers.standby.kill();
        try {
            awaitRead(patient, "list", "primary", () -> listed(patient, entity));
            add(service, entity, "ben");
            Wait.until("the list has the change", () -> listed(patient, entity).contains("ben"));
            Wait.until("health says so", () -> "false".equals(health(patient).get("read")));
        } finally {
            servers.standby.restart();
        }
        awaitRead(patient, "list", "replica", () -> listed(patient, entity));
    }

    /** The watch knows the one standby, and the read reaches the other one. */
    @Test
    void eachReadIsJudgedByItsSnapshotWhicheverStandbyTheAddressLeadsTo(TestInfo test) {
        String entity = test.getDisplayName();
        String url = servers.standby.urlOf(servers.stage.url);
        try (PostgresProcess frozen = servers.primary.startStandby();
                var proxy = TcpProxy.before(url)) {
            var sql = WithReplica.template(frozen.urlOf(servers.stage.url));
            sql.execute("alter system set primary_conninfo = ''");
            sql.execute("select pg_reload_conf()");
            WithReplica.awaitNoReceiver(sql);
            add(service, entity, "ann");
            var reader = servers.startOn(proxy.through(url), "10m");
            awaitRead(reader, "list", "replica", () -> listed(reader, entity));

            proxy.leadTo("localhost", frozen.port());
            String[] stale = {"kind=\"list\"", "cause=\"stale\""};
            long before = Stage.total(reader, WithReplica.READS, stale);
            Wait.until(
                    "a read finds that its snapshot is too old",
                    () -> {
                        assertThat(listed(reader, entity)).containsExactly("ann");
                        return Stage.total(reader, WithReplica.READS, stale) > before;
                    });
            reader.close();
        }
    }

    @Test
    void aPromotedStandbyIsNotRead(TestInfo test) {
        String entity = test.getDisplayName();
        add(service, entity, "ann");
        servers.awaitFollowed();
        try (PostgresProcess other = servers.primary.startStandby()) {
            var reader = servers.startOn(other.urlOf(servers.stage.url), "10m");
            var finder = servers.startOn(eitherOf(other, servers.standby), "10m");
            awaitRead(reader, "list", "replica", () -> listed(reader, entity));
            awaitRead(finder, "list", "replica", () -> listed(finder, entity));
            var sql = WithReplica.template(other.urlOf(servers.stage.url));
            assertThat(sql.queryForObject("select pg_promote()", Boolean.class)).isTrue();
            sql.update("delete from user_reaction");
            sql.update("delete from counter");

            assertThat(listed(reader, entity)).containsExactly("ann");
            Wait.until(
                    "health has the reason",
                    () -> "the server is no standby".equals(health(reader).get("reason")));
            assertThat(listed(reader, entity)).containsExactly("ann");
            awaitRead(
                    finder,
                    "list",
                    "replica",
                    () -> assertThat(listed(finder, entity)).containsExactly("ann"));
            reader.close();
            finder.close();
        }
    }

    /** The address of the first one that is a standby. */
    private static String eitherOf(PostgresProcess one, PostgresProcess other) {
        return one.urlOf(servers.stage.url)
                        .replaceFirst("(//[^/]+)/", "$1,localhost:" + other.port() + "/")
                + "?targetServerType=secondary&hostRecheckSeconds=1";
    }
}
