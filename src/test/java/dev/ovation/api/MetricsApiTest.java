package dev.ovation.api;

import static dev.ovation.api.Metrics.assertGrows;
import static dev.ovation.api.Metrics.assertGrowsOnRepetition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.RedisCluster;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Every documented metric exists and changes. */
class MetricsApiTest extends ApiFixture {

    @ParameterizedTest
    @CsvSource({
        "POST,   SUCCESS,      200",
        "POST,   CLIENT_ERROR, 403",
        "GET,    SUCCESS,      200",
        "DELETE, SUCCESS,      200"
    })
    void requestTimesGoByRouteAndOutcome(String method, String outcome, int status) {
        assertGrows(
                service,
                () -> {
                    add("letters", "ann", "a");
                    add("letters", "ann", "a");
                    read(service, "letters");
                    remove("letters", "ann", "a");
                },
                "http_server_requests_seconds_count",
                "method=\"" + method + "\"",
                "outcome=\"" + outcome + "\"",
                "status=\"" + status + "\"",
                "uri=\"/reactions\"");
        assertThat(Metrics.of(service).shows("http_server_requests_seconds_bucket")).isTrue();
    }

    /** Sometimes the other instance commits and acknowledges the change of this one. */
    @ParameterizedTest
    @ValueSource(strings = {"react", "read", "install", "ack"})
    void scriptsAreTimed(String script) {
        String name = "ovation_script_duration_seconds_count";
        String[] labels = {"script=\"" + script + "\"", "outcome=\"answered\""};
        double before = Metrics.of(service).value(name, labels);
        var users = new AtomicInteger();
        Wait.until(
                script + " is timed",
                () -> {
                    String user = "user" + users.incrementAndGet();
                    given("letters", user, "a");
                    own("letters", user);
                    return Metrics.of(service).value(name, labels) > before;
                });
    }

    @Test
    void lookUpsOfUsersAreTimedToo() {
        assertGrowsOnLookUpOfUser(
                "ovation_script_duration_seconds_count", "script=\"install_users\"");
    }

    @Test
    void lookupsGoByKindAndNamespace() {
        assertGrowsOnRepetition(
                service,
                this::readAnEntityThatIsNotLoaded,
                "ovation_hot_lookups_total",
                "namespace=\"pairs\"",
                "result=\"miss\"");
        assertGrowsOnRepetition(
                service,
                () -> own("pairs", "ann"), // the near cache looks up no viewer
                "ovation_hot_lookups_total",
                "namespace=\"pairs\"",
                "result=\"hit\"");
        assertGrowsOnLookUpOfUser(
                "ovation_hot_lookups_total", "namespace=\"letters\"", "result=\"user_miss\"");
    }

    @Test
    void loadsAreCounted() {
        assertGrowsOnRepetition(
                service,
                this::readAnEntityThatIsNotLoaded,
                "ovation_hot_loads_total",
                "namespace=\"pairs\"",
                "result=\"installed\"");
    }

    /** Either instance may commit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ovation_commit_lag_seconds_count",
                "ovation_commit_lag_seconds_sum",
                "ovation_relay_batch_size_events_count",
                "ovation_relay_batch_size_events_sum",
                "ovation_relay_batch_duration_seconds_count",
                "ovation_relay_batch_duration_seconds_sum",
                "ovation_relay_calls_total"
            })
    void commitsAreMeasured(String name) {
        double before = Metrics.of(service).value(name) + Metrics.of(other).value(name);
        given("letters", "ann", "a");

        Wait.until(
                name + " grows",
                () -> Metrics.of(service).value(name) + Metrics.of(other).value(name) > before);
    }

    @Test
    void theOutboxMetricsShowWaitingEventsAndTheirAge() throws Exception {
        CompletableFuture<Answer> first;
        CompletableFuture<Answer> second;
        try (var _ = HeldPartition.of(partition("letters"))) {
            first = Together.meanwhile(() -> add("letters", "ann", "a"));
            second = Together.meanwhile(() -> add("letters", "ben", "a"));
            for (Instance each : new Instance[] {service, other}) {
                Wait.until(
                        "two events wait",
                        () -> Metrics.of(each).value("ovation_outbox_length_events") >= 2);
                Wait.until(
                        "the age of the oldest event grows",
                        () -> Metrics.of(each).value("ovation_outbox_oldest_seconds") > 0.3);
            }
            Wait.until(
                    "the wait of the writes is shown",
                    () -> Metrics.of(service).value("ovation_commit_wait_oldest_seconds") > 0.3);
            assertThat(first).isNotDone();
            assertThat(second).isNotDone();
        }
        assertOk(first.get());
        assertOk(second.get());
        for (Instance each : new Instance[] {service, other}) {
            Wait.until(
                    "no event waits",
                    () ->
                            Metrics.of(each).value("ovation_outbox_length_events") == 0
                                    && Metrics.of(each).value("ovation_outbox_oldest_seconds")
                                            == 0);
        }
    }

    @Test
    void theAgeOfTheRankingGrowsWhileItsUpdateIsBlocked() throws SQLException {
        String name = "ovation_ranking_age_seconds";
        try (var connection = TwoInstances.database();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select from ranking_state for update");
            for (Instance each : new Instance[] {service, other}) {
                Wait.until("it grows", () -> Metrics.of(each).value(name) > 3);
            }
            connection.rollback();
        }
        for (Instance each : new Instance[] {service, other}) {
            Wait.until("the ranking follows again", () -> Metrics.of(each).value(name) < 3);
        }
    }

    /** Both instances publish the delay of a job. */
    @Test
    void bothInstancesReportADelayedBackgroundJobAndStayUp() throws SQLException {
        try (var connection = TwoInstances.database();
                var statement = connection.createStatement()) {
            try {
                assertBothAreBehind(statement);
            } finally {
                // One row: a turn locks all rows in the order of the jobs.
                statement.execute("update background set debt = 0 where job = 'ranking'");
            }
        }
        double before = worked(service) + worked(other);
        for (Instance each : new Instance[] {service, other}) {
            Wait.until("it catches up", () -> lag(each) < 60);
        }
        Wait.until("the job runs", () -> worked(service) + worked(other) > before);
    }

    private void assertBothAreBehind(Statement statement) {
        for (Instance each : new Instance[] {service, other}) {
            Wait.until(
                    "it is behind",
                    () -> {
                        statement.execute(
                                """
                                update background set debt = 1e6, due_at = now() - interval '2 min'
                                where  job = 'ranking'
                                """);
                        return lag(each) > 60;
                    });
            var health = each.get("/actuator/health").json().at("/components/background");
            assertThat(health.at("/status").asString()).isEqualTo("UP");
            assertThat(health.at("/details/behind_seconds/ranking").asInt()).isGreaterThan(60);
        }
    }

    private static double lag(Instance instance) {
        return Metrics.of(instance).value("ovation_background_lag_seconds", "job=\"ranking\"");
    }

    private static double worked(Instance instance) {
        return Metrics.of(instance)
                .value("ovation_background_time_seconds_total", "job=\"ranking\"");
    }

    @Test
    void theAgeOfTheOldestDoesNotHideBehindOtherPartitions() throws Exception {
        CompletableFuture<Answer> held;
        try (var _ = HeldPartition.of(partition("letters"))) {
            held = Together.meanwhile(() -> add("letters", "ann", "a"));
            Wait.until("it is proposed", () -> counts("letters").equals("a 1"));
            long proposed = System.nanoTime();
            // The age may also be that of an older event elsewhere, which ends.
            Wait.until(
                    "it is older than 0.3 s, and the oldest event as well",
                    () ->
                            System.nanoTime() - proposed > 300_000_000
                                    && Metrics.of(service).value("ovation_outbox_oldest_seconds")
                                            > 0.3);
            for (int i = 0; i < 23; i++) {
                assertOk(service.add("letters", elsewhere(i), "ann", "a"));
                assertThat(Metrics.of(service).value("ovation_outbox_oldest_seconds"))
                        .isGreaterThan(0.3);
            }
            assertThat(held).isNotDone();
        }
        assertOk(held.get());
    }

    @Test
    void fencesAndRecoveriesAreCounted() {
        double taken = taken();
        double before = Metrics.of(service).value("ovation_fences_total");
        Wait.until(
                "a read detects the lost fence, not a sweep",
                () -> {
                    TwoInstances.redis().flushall();
                    own("letters", "ann");
                    double fences = Metrics.of(service).value("ovation_fences_total");
                    TwoInstances.allAnew();
                    return fences > before;
                });
        Wait.until("the partition has a new epoch", () -> taken() > taken);
        Wait.until(
                "all instances are attached",
                () -> Metrics.of(service).value("ovation_partitions_attached") == PARTITIONS);
        assertThat(Metrics.of(service).value("ovation_redis_up")).isEqualTo(RedisCluster.SERVERS);
    }

    /** An event on a base that was never committed is a conflict; its request runs again. */
    @Test
    void conflictsAreCountedAndHealed() {
        int rounds = 23;
        double before = rejected("conflict");
        for (int round = 0; round < rounds; round++) {
            String each = entity + round;
            assertOk(service.add("letters", each, "ann", "a"));
            Hot.pretend("letters", each, "never-committed");

            assertOk(service.add("letters", each, "ben", "a"));
            assertThat(counts(other.read("letters", each, null).json())).isEqualTo("a 2");
        }
        Wait.until("each conflict is counted", () -> rejected("conflict") >= before + rounds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"conflict", "duplicate", "malformed", "poison"})
    void rejectedEventsAreShownByReasonFromTheBeginning(String reason) {
        assertThat(Metrics.of(service).text())
                .contains("ovation_events_rejected_total{reason=\"" + reason + "\"}");
    }

    @ParameterizedTest
    @EnumSource
    void callsOfTheRelayAreShownByResultFromTheBeginning(CallResult result) {
        assertThat(Metrics.of(service).text())
                .contains("ovation_relay_calls_total{result=\"" + result.label() + "\"}");
    }

    @Test
    void writesAreCountedByNamespaceAndOutcome() {
        String name = "ovation_writes_total";
        String[] applied = {"namespace=\"letters\"", "outcome=\"applied\""};
        String[] refused = {"namespace=\"letters\"", "outcome=\"refused\""};
        double before = Metrics.of(service).value(name, applied);
        double refusedBefore = Metrics.of(service).value(name, refused);

        given("letters", "ann", "a");
        assertRefused(add("letters", "ann", "a"), 403, "reaction-already-exists");
        service.send(
                "POST",
                "/reactions/batch",
                "{\"operations\":[" + operation("ben", "a") + "," + operation("ann", "a") + "]}");

        assertThat(Metrics.of(service).value(name, applied)).isEqualTo(before + 2);
        assertThat(Metrics.of(service).value(name, refused)).isEqualTo(refusedBefore + 2);
    }

    private String operation(String user, String reaction) {
        return Instance.body("letters", entity, user, reaction)
                .replaceFirst("\\{", "{\"op\":\"add\",");
    }

    @ParameterizedTest
    @ValueSource(strings = {"failing", "stopped", "contested"})
    void partitionsWithoutCommitsAreShownByReasonFromTheBeginning(String state) {
        assertThat(Metrics.of(service).text())
                .contains("ovation_partitions{state=\"" + state + "\"}");
    }

    @Test
    void limitsAreShownBesideTheirUse() {
        var metrics = Metrics.of(service);
        assertThat(metrics.value("ovation_requests_limit", "kind=\"reads\"")).isEqualTo(5000);
        assertThat(metrics.value("ovation_partitions_configured")).isEqualTo(PARTITIONS);
        assertThat(metrics.value("ovation_connections_limit")).isEqualTo(20000);
        assertThat(metrics.value("ovation_connections_open")).isBetween(1.0, 20000.0);
        assertThat(metrics.value("ovation_build_info")).isEqualTo(1);
    }

    @Test
    void theVersionOfTheConfigurationIsShown() {
        assertGrows(
                service,
                () -> configure(TestRules.shared().namespace("v-" + entity, 1, "a")),
                "ovation_configuration_version");
    }

    @Test
    void reloadErrorsAreCountedByKind() throws Exception {
        Path file = TwoInstances.files().resolve("namespaces.yaml");
        String good = Files.readString(file);
        try {
            Files.writeString(file, "- id: [");
            assertGrows(
                    service,
                    () -> service.send("POST", "/actuator/refresh", ""),
                    "ovation_configuration_errors_total",
                    "kind=\"invalid\"");
        } finally {
            Files.writeString(file, good);
        }
    }

    @Test
    void idsAreNeverLabels() {
        String marker = "marker-" + entity;
        String odd = marker + TestRules.ODD;
        service.add("letters", odd, odd, "a");
        service.add("letters", odd, odd, odd);
        service.send(
                "POST",
                "/reactions",
                Instance.body("letters", odd, marker, "d"),
                "Idempotency-Key",
                marker);
        service.read("letters", odd, odd);
        service.remove("letters", odd, odd, "a");
        service.get("/configuration/namespace?namespace_id=" + marker);
        service.get("/" + marker);
        service.send("POST", "/reactions/" + marker, "{}");
        service.send(marker.replace("-", "").toUpperCase(), "/reactions", null);

        assertNotIn(marker);
    }

    @Test
    void anUnknownNamespaceIsNoLabelEither() {
        String unknown = "unknown-" + entity;
        assertGrowsOnRepetition(
                service,
                () -> own("letters", "ann"),
                "ovation_hot_lookups_total",
                "namespace=\"letters\"");
        service.read(unknown, entity, "ann");
        add(unknown, "ann", "a");
        assertGrows(
                service,
                () -> assertOk(remove(unknown, "ann", "a")),
                "ovation_hot_lookups_total",
                "namespace=\"other\"");

        assertNotIn(unknown);
    }

    /** Later measurements imply that all previous requests were measured. */
    private void assertNotIn(String marker) {
        assertGrows(
                service,
                () -> service.get("/configuration/available_reactions?namespace_id=letters"),
                "http_server_requests_seconds_count",
                "uri=\"/configuration/available_reactions\"");
        assertThat(Metrics.of(service).text().toLowerCase())
                .contains("namespace=\"letters\"")
                .doesNotContain(marker.toLowerCase())
                .doesNotContain(marker.replace("-", "").toLowerCase());
    }

    private void readAnEntityThatIsNotLoaded() {
        assertThat(service.read("pairs", UUID.randomUUID().toString(), null).status())
                .isEqualTo(200);
    }

    /**
     * Fails unless the metric grows on a read for a user whom a loaded high-cardinality entity does
     * not hold. When the first of two reads is answered from Postgres, the second one loads the
     * entity.
     */
    private void assertGrowsOnLookUpOfUser(String name, String... labels) {
        for (int i = 0; i <= TwoInstances.CROWD; i++) {
            given("letters", "user" + i, "a");
        }
        assertGrowsOnRepetition(
                service,
                () -> {
                    Hot.evict("letters", entity);
                    assertThat(own("letters", "user0")).containsExactly("a");
                    assertThat(own("letters", "user7")).containsExactly("a");
                },
                name,
                labels);
    }

    private double taken() {
        return Metrics.of(service).value("ovation_partition_recoveries_total", "kind=\"taken\"")
                + Metrics.of(other).value("ovation_partition_recoveries_total", "kind=\"taken\"");
    }

    private double rejected(String reason) {
        String label = "reason=\"" + reason + "\"";
        return Metrics.of(service).value("ovation_events_rejected_total", label)
                + Metrics.of(other).value("ovation_events_rejected_total", label);
    }

    /** An entity of another partition. */
    private String elsewhere(int number) {
        var partitions = new Partitions(PARTITIONS);
        for (int i = 0; ; i++) {
            String name = entity + "-" + number + "-" + i;
            if (partitions.of(new EntityKey("letters", name)) != partition("letters")) {
                return name;
            }
        }
    }
}
