package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.GrpcClient;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.SpanReceiver;
import dev.ovation.testing.SpanReceiver.ReceivedSpan;
import dev.ovation.testing.Wait;

import io.lettuce.core.Range;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** The traces of an instance as a collector receives them. */
@Beside
class TracesTest {

    private static final int SERVER = 2;
    private static final int CLIENT = 3;
    private static final int CONSUMER = 5;
    private static final String CALLER = "b7ad6b7169203331";
    private static final String POST = "POST /reactions";

    private static SpanReceiver receiver;
    private static Stage stage;
    private static Instance service;
    private static GrpcClient grpc;

    @BeforeAll
    static void start() {
        receiver = SpanReceiver.start();
        stage = Stage.open();
        service =
                stage.start(
                        Stage.settings(
                                Stage.PATIENT,
                                receiver.settings(
                                        "spring.grpc.server.enabled=true",
                                        "spring.grpc.server.port=0")));
        grpc = new GrpcClient(service);
    }

    @AfterAll
    static void stop() {
        grpc.close();
        stage.close();
        receiver.close();
    }

    @Test
    void aWriteIsFollowedThroughScriptOutboxAndCommit() {
        String trace = newTrace();
        assertThat(add(trace, "followed").status()).isEqualTo(200);

        ReceivedSpan server = await(trace, POST);
        ReceivedSpan proposal = await(trace, "propose");
        ReceivedSpan commit = await(trace, "commit");
        ReceivedSpan run = awaitLinkTo(proposal, "redis react");
        ReceivedSpan relay = awaitLinkTo(proposal, "relay");

        assertThat(server.kind()).isEqualTo(SERVER);
        assertThat(server.parent()).isEqualTo(CALLER);
        assertThat(server.service()).isEqualTo("ovation");
        assertThat(server.attributes())
                .containsEntry("http.request.method", "POST")
                .containsEntry("http.route", "/reactions")
                .containsEntry("http.response.status_code", 200L);
        assertThat(List.of(proposal.parent(), commit.parent())).containsOnly(server.id().span());
        assertThat(proposal.attributes())
                .containsEntry("ovation.namespace", Stage.NOTES)
                .containsEntry("ovation.reply", "accepted");
        assertThat(commit.attributes())
                .containsEntry("ovation.verdict", "committed")
                .containsKey("ovation.seq");
        assertThat(server.start()).isLessThanOrEqualTo(proposal.start());
        assertThat(proposal.end()).isEqualTo(commit.start()).isLessThanOrEqualTo(commit.end());

        assertThat(run.kind()).isEqualTo(CLIENT);
        assertThat(relay.kind()).isEqualTo(CONSUMER);
        assertThat(List.of(run, relay))
                .allSatisfy(each -> assertThat(each.parent()).isEmpty())
                .allSatisfy(each -> assertThat(each.trace()).isNotEqualTo(trace));
        assertThat(proposal.linksTo(run)).isTrue();
        assertThat(
                        receiver
                                .await(
                                        "parts of the relay cycle",
                                        3,
                                        each -> each.parent().equals(relay.id().span()))
                                .stream()
                                .map(ReceivedSpan::name))
                .containsExactlyInAnyOrder("read", "commit", "publish");
        assertThat(relay.start()).isLessThanOrEqualTo(relay.end());
    }

    /** One run has several proposals: it is below none of them. */
    @Test
    void theOperationsOfABatchAreSpansOfOneRequest() {
        String trace = newTrace();
        var operations = new ArrayList<Map<String, String>>();
        for (int i = 0; i < 3; i++) {
            operations.add(Instance.operation("add", Stage.NOTES, "one", "user-" + i, "👍"));
            operations.add(Instance.operation("add", Stage.NOTES, "two", "user-" + i, "👍"));
        }
        Answer answer =
                service.send(
                        "POST",
                        "/reactions/batch",
                        Instance.batch(operations),
                        header(trace, "01"));
        assertThat(Instance.outcomes(answer)).containsOnly("applied").hasSize(6);

        ReceivedSpan server = await(trace, "POST /reactions/batch");
        List<ReceivedSpan> proposals =
                receiver.await("proposals", 6, each -> isOf(each, trace, "propose"));
        List<ReceivedSpan> commits =
                receiver.await("commits", 6, each -> isOf(each, trace, "commit"));
        for (List<ReceivedSpan> each : List.of(proposals, commits)) {
            assertThat(each).allMatch(span -> span.parent().equals(server.id().span()));
            assertThat(each)
                    .extracting(span -> span.attributes().get("ovation.operation"))
                    .contains(0L, 1L, 2L, 3L, 4L, 5L);
        }
        for (ReceivedSpan proposal : proposals) {
            ReceivedSpan run = awaitLinkTo(proposal, "redis react");
            assertThat(proposal.linksTo(run)).isTrue();
            assertThat((Long) run.attributes().get("ovation.items"))
                    .isGreaterThanOrEqualTo(run.links().size());
            assertThat(awaitLinkTo(proposal, "relay").parent()).isEmpty();
        }
    }

    @Test
    void aReadIsFollowedToItsScriptAndItsLoad() {
        assertThat(service.add(Stage.NOTES, "read", "ann", "👍").status()).isEqualTo(200);
        stage.evict("read");
        String trace = newTrace();
        Answer answer =
                service.send(
                        "GET",
                        "/reactions?namespace_id=notes&entity_id=read&user_id=ann",
                        null,
                        header(trace, "01"));
        assertThat(answer.status()).isEqualTo(200);

        ReceivedSpan server = await(trace, "GET /reactions");
        ReceivedSpan read = await(trace, "read");
        ReceivedSpan load = await(trace, "load");

        assertThat(read.parent()).isEqualTo(server.id().span());
        assertThat(load.parent()).isEqualTo(read.id().span());
        assertThat(read.linksTo(awaitLinkTo(read, "redis read"))).isTrue();
    }

    @Test
    void aRequestOfSpringMvcHasOneSpan() {
        String trace = newTrace();
        assertThat(service.send("GET", "/users", null, header(trace, "01")).status())
                .isEqualTo(400);

        ReceivedSpan server = await(trace, "GET /users");
        assertThat(server.parent()).isEqualTo(CALLER);
        assertThat(server.attributes())
                .containsEntry("http.route", "/users")
                .containsEntry("http.response.status_code", 400L);
        assertThat(server.failed()).isFalse();
        flush();
        assertThat(receiver.spans()).filteredOn(each -> each.trace().equals(trace)).hasSize(1);
    }

    @Test
    void aCallOfGrpcIsFollowedAsWell() {
        String trace = newTrace();
        var order =
                AddRequest.newBuilder()
                        .setNamespaceId(Stage.NOTES)
                        .setEntityId("grpc")
                        .setUserId("ann")
                        .setReactionId("👍");
        assertThat(grpc.calls(header(trace, "01")).add(order.build()).getApplied()).isTrue();

        ReceivedSpan server = await(trace, "dev.ovation.v1.Reactions/Add");
        assertThat(server.parent()).isEqualTo(CALLER);
        assertThat(server.attributes()).containsEntry("rpc.response.status_code", "OK");
        assertThat(await(trace, "propose").parent()).isEqualTo(server.id().span());
    }

    /** The member of the event names the proposal to whichever instance commits it. */
    @Test
    void theRelayOfAnotherInstanceLinksToTheWrite() {
        try (SpanReceiver its = SpanReceiver.start();
                Stage two = Stage.open()) {
            two.start(Stage.settings(Stage.PATIENT, its.settings()));
            Instance writer =
                    two.start(
                            Stage.settings(
                                    Stage.PATIENT,
                                    receiver.settings("ovation.internal.relay.threads=0")));
            String trace = newTrace();
            Answer answer =
                    writer.send(
                            "POST",
                            "/reactions",
                            Instance.body(Stage.NOTES, "elsewhere", "ann", "👍"),
                            header(trace, "01"));
            assertThat(answer.status()).isEqualTo(200);

            ReceivedSpan proposal = await(trace, "propose");
            ReceivedSpan relay = its.await("its relay cycle", each -> each.name().equals("relay"));
            assertThat(relay.linksTo(proposal)).isTrue();
            assertThat(relay.attributes()).containsEntry("ovation.events", 1L);
        }
    }

    /** The cycle cannot store one event, and so commits one after the other. */
    @Test
    void aWriteBesideAPoisonEventIsFollowedToItsCommit() throws Exception {
        String neighbour = Stage.neighbour(Stage.NOTES, "poisoned");
        assertThat(add(newTrace(), "poisoned").status()).isEqualTo(200);
        stage.awaitDrained();
        String trace = newTrace();
        try (var _ = stage.holdRelays()) {
            stage.propose(Stage.NOTES, "poisoned", "poison\0", "🔥");
            var write = Stage.meanwhile(() -> add(trace, neighbour));
            stage.awaitProposed(Stage.NOTES, neighbour, 1);
            // A cycle that began before may have read the poison event alone, the one after it has
            // read both.
            Stage.awaitCycle(service);
            stage.release();
            assertThat(write.get().status()).isEqualTo(200);
        }

        ReceivedSpan relay = awaitLinkTo(await(trace, "propose"), "relay");
        assertThat(relay.attributes())
                .containsEntry("ovation.partitions", 1L)
                .containsEntry("ovation.events", 2L);
    }

    /** A caller that does not record its trace, and one without a trace where the share is 0. */
    @ParameterizedTest
    @ValueSource(strings = {"00-%s-b7ad6b7169203331-00", "00-%s-b7ad6b7169203331-02", "%s", ""})
    void aRequestThatIsNotSampledHasNoSpan(String form) {
        String trace = newTrace();
        String entity = "unsampled-" + newTrace();
        Answer answer =
                service.send(
                        "POST",
                        "/reactions",
                        Instance.body(Stage.NOTES, entity, "ann", "👍"),
                        "traceparent",
                        form.formatted(trace),
                        "X-Request-Id",
                        trace);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(event(entity)).doesNotContain(Event.TRACE + RedisSchema.PART);

        flush();
        assertThat(receiver.spans())
                .noneMatch(
                        each ->
                                each.trace().equals(trace)
                                        || trace.equals(
                                                each.attributes().get("ovation.request_id")));
    }

    /** Returns the event of an entity that was written last: it stays in its outbox. */
    private static String event(String entity) {
        return stage.redis().keys("{*}:outbox").stream()
                .flatMap(key -> stage.redis().xrange(key, Range.unbounded()).stream())
                .map(entry -> entry.getBody().get(Event.FIELD))
                .filter(event -> event.contains(entity))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aShareOfOneSamplesRequestsWithoutATrace() {
        try (Instance all =
                stage.launch(
                        Stage.settings(
                                Stage.PATIENT,
                                receiver.settings("management.tracing.sampling.probability=1")))) {
            all.attached();
            String id = newTrace();
            assertThat(
                            all.send(
                                            "GET",
                                            "/reactions?namespace_id=notes&entity_id=1",
                                            null,
                                            "X-Request-Id",
                                            id)
                                    .status())
                    .isEqualTo(200);

            ReceivedSpan server =
                    receiver.await(
                            "the span of the request",
                            each -> id.equals(each.attributes().get("ovation.request_id")));
            assertThat(server.parent()).isEmpty();
            assertThat(receiver.spans()).noneMatch(each -> each.name().startsWith("GET /actuator"));
        }
    }

    @Test
    void aFailureOfTheServiceIsOneOfItsSpan() {
        String trace = newTrace();
        try (Stage other = Stage.open()) {
            Instance alone = other.start(receiver.settings());
            other.redisProcess.close();
            Answer answer =
                    alone.send(
                            "POST",
                            "/reactions",
                            Instance.body(Stage.NOTES, "failing", "ann", "👍"),
                            header(trace, "01"));
            assertThat(answer.status()).isEqualTo(503);
        }

        ReceivedSpan server = await(trace, POST);
        assertThat(server.failed()).isTrue();
        assertThat(server.attributes()).containsEntry("error.type", "503");
    }

    @ParameterizedTest
    @CsvSource({
        "http_server_requests_seconds_bucket, uri=\"/reactions\"",
        "ovation_commit_lag_seconds_bucket, le="
    })
    void theScrapeHasExemplars(String metric, String label) {
        Pattern exemplar =
                Pattern.compile(
                        "(?m)^"
                                + metric
                                + "\\{[^}]*"
                                + Pattern.quote(label)
                                + ".* # \\{span_id=\"[0-9a-f]{16}\",trace_id=\"[0-9a-f]{32}\"");
        var _ =
                Wait.until(
                        metric + " has an exemplar",
                        TracesTest::scrapeAfterAWrite,
                        scrape -> exemplar.matcher(scrape).find());
    }

    private static String scrapeAfterAWrite() {
        assertThat(add(newTrace(), "exemplar").status()).isEqualTo(200);
        return service.send(
                        "GET",
                        "/actuator/prometheus",
                        null,
                        "Accept",
                        "application/openmetrics-text; version=1.0.0")
                .body();
    }

    private static Answer add(String trace, String entity) {
        String user = "user-" + ThreadLocalRandom.current().nextLong();
        return service.send(
                "POST",
                "/reactions",
                Instance.body(Stage.NOTES, entity, user, "👍"),
                header(trace, "01"));
    }

    private static String[] header(String trace, String flags) {
        return new String[] {"traceparent", "00-" + trace + "-" + CALLER + "-" + flags};
    }

    private static String newTrace() {
        byte[] id = new byte[16];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    /** Waits until the spans of all earlier requests have arrived: those of one leave in order. */
    private static void flush() {
        String trace = newTrace();
        assertThat(add(trace, "flush").status()).isEqualTo(200);
        var _ = await(trace, POST);
    }

    private static ReceivedSpan await(String trace, String name) {
        return receiver.await(name + " of " + trace, each -> isOf(each, trace, name));
    }

    private static ReceivedSpan awaitLinkTo(ReceivedSpan span, String name) {
        return receiver.await(
                name + " with a link", each -> each.name().equals(name) && each.linksTo(span));
    }

    private static boolean isOf(ReceivedSpan span, String trace, String name) {
        return span.trace().equals(trace) && span.name().equals(name);
    }
}
