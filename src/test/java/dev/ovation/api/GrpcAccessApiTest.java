package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestIssuer;
import dev.ovation.credential.TestKeys;
import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.GetRequest;
import dev.ovation.grpc.v1.ListReactorsRequest;
import dev.ovation.grpc.v1.WatchEvent;
import dev.ovation.grpc.v1.WatchRequest;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.grpc.v1.WriteOperationResult;
import dev.ovation.testing.GrpcClient;
import dev.ovation.testing.GrpcClient.Refusal;
import dev.ovation.testing.GrpcResults;
import dev.ovation.testing.Instance;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Credentials, scopes and limits of gRPC calls are those of the REST API. */
@ExtendWith(TwoInstances.class)
class GrpcAccessApiTest extends ApiFixture {

    @TempDir static Path folder;
    private static TestIssuer issuer;
    private static Instance guarded;
    private static GrpcClient client;
    private static String backend;
    private static String reader;
    private static String letters;
    private static String limited;
    private static String operator;
    private static TestKeys keys;

    @BeforeAll
    static void start() {
        issuer = new TestIssuer();
        keys = new TestKeys(folder.resolve("keys.yaml"));
        backend = keys.add("backend", "scopes: [reactions:read, reactions:write]");
        reader = keys.add("reader", "scopes: [reactions:read]");
        letters =
                keys.add(
                        "letters",
                        "scopes: [reactions:read, reactions:write]",
                        "namespaces: [letters]");
        limited =
                keys.add(
                        "limited",
                        "scopes: [reactions:read, reactions:write]",
                        "limits: {user-writes: 1/24h}");
        operator = keys.add("operator", "scopes: [operate, configure]");
        guarded =
                TwoInstances.beside(
                                Stream.of(
                                                GrpcClient.SETTINGS,
                                                issuer.settings(),
                                                new String[] {
                                                    "ovation.access.keys=" + keys.file(),
                                                    "ovation.limits.address=none",
                                                    "ovation.limits.user-writes=3/1h",
                                                    "ovation.internal.live.check=50ms",
                                                    "ovation.requests.writes=1"
                                                })
                                        .flatMap(Arrays::stream)
                                        .toArray(String[]::new))
                        .attached("X-Api-Key", operator);
        client = new GrpcClient(guarded);
    }

    @AfterAll
    static void stop() {
        client.close();
        guarded.close();
        issuer.close();
    }

    @Test
    void aKeyActsAsAnyUserByEitherHeader() {
        assertThat(client.calls("x-api-key", backend).add(add("ann", "👍")).getApplied()).isTrue();
        assertThat(client.calls("authorization", "Bearer " + backend).add(add("bob", "👍")))
                .matches(result -> result.getApplied());
    }

    @Test
    void withoutAValidCredentialACallIsUnauthenticated() {
        assertRefusal(
                GrpcClient.refusal(() -> client.calls().get(get())),
                Status.Code.UNAUTHENTICATED,
                "unauthenticated");
        assertRefusal(
                GrpcClient.refusal(() -> client.calls("x-api-key", "ovk_no_key").get(get())),
                Status.Code.UNAUTHENTICATED,
                "unauthenticated");
        assertRefusal(
                GrpcClient.refusal(
                        () ->
                                client.calls(
                                                "x-api-key",
                                                backend,
                                                "authorization",
                                                "Bearer " + backend)
                                        .get(get())),
                Status.Code.INVALID_ARGUMENT,
                "malformed-request");
        assertThat(failureOfBatch().getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        var watch = WatchRequest.newBuilder().setNamespaceId("posts").addEntityIds(entity).build();
        assertRefusal(
                GrpcClient.refusal(() -> client.calls().watch(watch).next()),
                Status.Code.UNAUTHENTICATED,
                "unauthenticated");
    }

    @Test
    void aCallNeedsTheScopeOfItsRequest() {
        var list =
                ListReactorsRequest.newBuilder()
                        .setNamespaceId("posts")
                        .setEntityId(entity)
                        .build();

        assertRefusal(
                GrpcClient.refusal(() -> client.calls("x-api-key", reader).add(add("ann", "👍"))),
                Status.Code.PERMISSION_DENIED,
                "forbidden");
        assertRefusal(
                GrpcClient.refusal(() -> client.calls("x-api-key", backend).listReactors(list)),
                Status.Code.PERMISSION_DENIED,
                "forbidden");
        assertRefusal(
                GrpcClient.refusal(
                        () ->
                                client.calls("x-api-key", reader)
                                        .get(get().toBuilder().setPeople(1).build())),
                Status.Code.PERMISSION_DENIED,
                "forbidden");
        assertThat(failureOfBatch("x-api-key", reader).getStatus().getCode())
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aKeyOfOtherNamespacesIsRefused() {
        assertRefusal(
                GrpcClient.refusal(() -> client.calls("x-api-key", letters).get(get())),
                Status.Code.PERMISSION_DENIED,
                "forbidden");
        var results = batch(List.of(add("ann", "👍")), "x-api-key", letters);
        assertThat(results.getFirst().getProblem().getCode()).isEqualTo("forbidden");
    }

    @Test
    void aUserActsAsItselfAndUntilItsLimit() {
        String[] ann = {"authorization", "Bearer " + token("ann-" + entity)};

        var other = GrpcClient.refusal(() -> client.calls(ann).add(add("bob", "👍")));
        assertRefusal(other, Status.Code.PERMISSION_DENIED, "forbidden");
        assertThat(client.calls(ann).add(add("", "👍")).getApplied()).isTrue();
        var own = client.calls(ann).get(get()).getUserReactions();
        assertThat(own.getUserId()).isEqualTo("ann-" + entity);
        assertThat(own.getReactionIdsList()).containsExactly("👍");
        // Two of three units are taken; the opening of the stream is the third.
        var results = batch(List.of(add("", "😂"), add("", "😂")), ann);
        assertThat(results).hasSize(2);
        assertThat(results)
                .allMatch(each -> each.getProblem().getCode().equals("rate-limited"))
                .allMatch(
                        each ->
                                each.getProblem()
                                        .getMetadataMap()
                                        .get("policy")
                                        .equals("user-writes"));
        var refused = GrpcClient.refusal(() -> client.calls(ann).add(add("", "😂")));
        assertRefusal(refused, Status.Code.RESOURCE_EXHAUSTED, "rate-limited");
        assertThat(refused.hasRetryInfo()).isTrue();
        assertThat(refused.info().getMetadataMap()).containsEntry("policy", "user-writes");
    }

    @Test
    void eachOperationCostsItsUser() {
        var results =
                batch(
                        List.of(add("ann", "👍"), add("ann", "😂"), add("bob", "👍")),
                        "x-api-key",
                        limited);
        assertThat(results.stream().map(each -> each.getProblem().getCode()))
                .containsExactly("", "rate-limited", "");
    }

    /** The limits of REST and gRPC are one. */
    @Test
    void theUnitsOfAUserAreThoseOfTheRestApi() {
        String bearer = "Bearer " + token("bob-" + entity);
        for (String reaction : List.of("👍", "😂", "😮")) {
            String body = Instance.body("posts", entity, "bob-" + entity, reaction);
            var _ = guarded.send("POST", "/reactions", body, "Authorization", bearer);
        }

        assertRefusal(
                GrpcClient.refusal(() -> client.calls("authorization", bearer).add(add("", "👍"))),
                Status.Code.RESOURCE_EXHAUSTED,
                "rate-limited");
    }

    /**
     * One write at a time; that of the test waits, within a minute, for a partition that is held.
     * An operation of a stream waits for the permit.
     */
    @Test
    void aWriteBeyondTheBoundIsUnavailable() throws Exception {
        var active = activeWrites();
        var results = new GrpcResults<WriteOperationResult>();
        StreamObserver<WriteOperation> operations = open(results);
        try (var _ = HeldPartition.of(partition("posts"))) {
            client.streams("x-api-key", backend).add(add("ann", "👍"), new GrpcResults<>());
            Wait.until("it waits for its commit", () -> active.value() == 1);
            for (String user : List.of("cat", "dan")) {
                operations.onNext(WriteOperation.newBuilder().setAdd(add(user, "👍")).build());
            }
            operations.onCompleted();
            var refused =
                    GrpcClient.refusal(
                            () -> client.calls("x-api-key", backend).add(add("bob", "👍")));

            assertRefusal(refused, Status.Code.UNAVAILABLE, "unavailable");
            assertThat(refused.hasRetryInfo()).isTrue();
            assertThat(refused.info().getMetadataMap()).containsEntry("outcome", "refused");
        }
        assertThat(results.failureAtTheEnd()).isNull();
        assertThat(results.all().stream().skip(1).map(WriteOperationResult::getApplied))
                .containsExactly(true, true);
        Wait.until("the other tests have the permit", () -> active.value() == 0);
    }

    @Test
    void openStreamsEndWhenTheirKeyIsRevoked() {
        String leaver = keys.add("leaver", "scopes: [reactions:read, reactions:write]");
        readKeys();
        var watch =
                client.calls("x-api-key", leaver)
                        .watch(
                                WatchRequest.newBuilder()
                                        .setNamespaceId("posts")
                                        .addEntityIds(entity)
                                        .build());
        assertThat(watch.next().getState().getSnapshot()).isTrue();
        var results = new GrpcResults<WriteOperationResult>();
        var operations = client.streams("x-api-key", leaver).writeBatch(results);
        operations.onNext(WriteOperation.newBuilder().setAdd(add("ann", "👍")).build());
        Wait.until("the stream is open", () -> results.all().size() == 1);

        keys.remove("leaver");
        readKeys();

        WatchEvent last = watch.next();
        while (watch.hasNext()) {
            last = watch.next();
        }
        assertThat(last.getEnd().getReason()).isEqualTo("credential");
        operations.onNext(WriteOperation.newBuilder().setAdd(add("bob", "👍")).build());
        assertThat(results.failureAtTheEnd().getStatus().getCode())
                .isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(client.calls("x-api-key", backend).get(get()).getCountsList())
                .singleElement()
                .matches(each -> each.getCount() == 1);
    }

    /** The permit is that of another caller. */
    @Test
    void anOperationThatWaitsForThePermitDoesNotCountAsRefused() throws Exception {
        var active = activeWrites();
        double refused = refusedWrites();
        var results = new GrpcResults<WriteOperationResult>();
        StreamObserver<WriteOperation> operations = open(results);
        try (var _ = HeldPartition.of(partition("posts"))) {
            client.streams("x-api-key", limited).add(add("eve", "👍"), new GrpcResults<>());
            Wait.until("it waits for its commit", () -> active.value() == 1);
            operations.onNext(WriteOperation.newBuilder().setAdd(add("cat", "👍")).build());
            operations.onCompleted();
            // Calls of a connection arrive in order.
            var _ = client.calls("x-api-key", backend).get(get());
        }
        assertThat(results.failureAtTheEnd()).isNull();
        assertThat(results.all().getLast().getApplied()).isTrue();
        assertThat(refusedWrites()).isEqualTo(refused);
        Wait.until("the other tests have the permit", () -> active.value() == 0);
    }

    private static Gauge activeWrites() {
        return guarded.bean(MeterRegistry.class)
                .get("ovation.requests.active")
                .tag("kind", "writes")
                .gauge();
    }

    private static double refusedWrites() {
        var counter =
                guarded.bean(MeterRegistry.class)
                        .find("ovation.writes")
                        .tag("namespace", "posts")
                        .tag("outcome", "refused")
                        .counter();
        return counter == null ? 0 : counter.count();
    }

    /** Opens a batch by an operation without content, whose result is the first. */
    private static StreamObserver<WriteOperation> open(GrpcResults<WriteOperationResult> results) {
        var operations = client.streams("x-api-key", backend).writeBatch(results);
        operations.onNext(WriteOperation.getDefaultInstance());
        Wait.until("the stream is open", () -> results.all().size() == 1);
        return operations;
    }

    /** Reads the rules too; the namespaces of an earlier class may still be in force. */
    private static void readKeys() {
        var refreshed =
                guarded.send(
                        "POST", "/actuator/refresh?accept_loss=true", null, "X-Api-Key", operator);
        assertThat(refreshed.status()).as(refreshed.body()).isEqualTo(200);
    }

    private AddRequest add(String user, String reaction) {
        return AddRequest.newBuilder()
                .setNamespaceId("posts")
                .setEntityId(entity)
                .setUserId(user)
                .setReactionId(reaction)
                .build();
    }

    private GetRequest get() {
        return GetRequest.newBuilder().setNamespaceId("posts").setEntityId(entity).build();
    }

    private static String token(String user) {
        return issuer.token(issuer.claims(user, "reactions:read reactions:write", Instant.now()));
    }

    private StatusRuntimeException failureOfBatch(String... headers) {
        var results = new GrpcResults<WriteOperationResult>();
        var operations = client.streams(headers).writeBatch(results);
        operations.onNext(WriteOperation.newBuilder().setAdd(add("ann", "👍")).build());
        return results.failureAtTheEnd();
    }

    private static List<WriteOperationResult> batch(List<AddRequest> requests, String... headers) {
        var results = new GrpcResults<WriteOperationResult>();
        var operations = client.streams(headers).writeBatch(results);
        requests.forEach(
                each -> operations.onNext(WriteOperation.newBuilder().setAdd(each).build()));
        operations.onCompleted();
        assertThat(results.failureAtTheEnd()).isNull();
        return results.all();
    }

    private static void assertRefusal(Refusal refusal, Status.Code status, String code) {
        assertThat(refusal.status()).isEqualTo(status);
        assertThat(refusal.info()).isNotNull();
        assertThat(refusal.info().getReason()).isEqualTo(code);
    }
}
