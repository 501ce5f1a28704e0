package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestKeys;
import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.EntityReactions;
import dev.ovation.grpc.v1.GetRequest;
import dev.ovation.grpc.v1.ReactionsGrpc;
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

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Clients of gRPC that hold calls open do not hold the service. */
@ExtendWith(TwoInstances.class)
class GrpcBoundsApiTest extends ApiFixture {

    private static final String WATCHERS = "ovation_live_watchers";

    @TempDir static Path folder;
    private static Instance guarded;
    private static GrpcClient client;
    private static String backend;

    @BeforeAll
    static void start() {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        backend = keys.add("backend", "scopes: [reactions:read, reactions:write]");
        String operator = keys.add("operator", "scopes: [operate]");
        guarded =
                TwoInstances.beside(
                                Stream.of(
                                                GrpcClient.SETTINGS,
                                                new String[] {
                                                    "ovation.access.keys=" + keys.file(),
                                                    "ovation.access.anonymous=metrics",
                                                    "ovation.limits.address=none",
                                                    "ovation.internal.grpc.patience=3s",
                                                    "ovation.internal.grpc.streams=2"
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
    }

    @Test
    void aCallWithoutACredentialEndsBeforeItsRequest() throws Exception {
        Refusal refusal = endWithoutRequest(new Metadata());

        assertThat(refusal.status()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refusal.info().getReason()).isEqualTo("unauthenticated");
    }

    @Test
    void aRequestThatDoesNotArriveEndsItsCall() throws Exception {
        Refusal refusal = endWithoutRequest(GrpcClient.metadata("x-api-key", backend));

        assertThat(refusal.status()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(refusal.info().getReason()).isEqualTo("request-timeout");
    }

    /**
     * A client sends the headers of a stream at once, and those of other calls with the request.
     */
    private static Refusal endWithoutRequest(Metadata headers) throws Exception {
        var method = ReactionsGrpc.getGetMethod().toBuilder().setType(MethodType.BIDI_STREAMING);
        ClientCall<GetRequest, EntityReactions> call =
                client.channel().newCall(method.build(), CallOptions.DEFAULT);
        var end = new CompletableFuture<Refusal>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(GrpcClient.refusal(status.asRuntimeException(trailers)));
                    }
                },
                headers);
        call.request(1);
        return end.get();
    }

    /** Its states are more than the window of the connection and the buffer of the stream. */
    @Test
    void aWatchWhoseClientTakesNothingIsReleased() {
        var request = WatchRequest.newBuilder().setNamespaceId("posts");
        for (int i = 0; i < 200; i++) {
            request.addEntityIds(entity + "-" + i + "x".repeat(200));
        }
        var narrow =
                NettyChannelBuilder.forAddress(
                                "127.0.0.1", guarded.bean(GrpcServerLifecycle.class).getPort())
                        .usePlaintext()
                        .flowControlWindow(1024)
                        .build();
        try {
            Metrics.assertGrows(
                    guarded,
                    () -> {
                        ClientCall<WatchRequest, WatchEvent> call =
                                narrow.newCall(ReactionsGrpc.getWatchMethod(), CallOptions.DEFAULT);
                        call.start(
                                new ClientCall.Listener<>() {},
                                GrpcClient.metadata("x-api-key", backend));
                        call.sendMessage(request.build());
                        call.halfClose();
                    },
                    "ovation_problems_total",
                    "code=\"unavailable\"");
            Wait.until("it is released", () -> Metrics.of(guarded).value(WATCHERS) == 0);
        } finally {
            narrow.shutdownNow();
        }
    }

    /** Of two places, one caller may have one. */
    @Test
    void aCallerLeavesStreamsOfOperationsToOthers() {
        var first = new GrpcResults<WriteOperationResult>();
        var operations = client.streams("x-api-key", backend).writeBatch(first);
        operations.onNext(operation("ann"));
        Wait.until("the first is open", () -> !first.all().isEmpty());

        var second = new GrpcResults<WriteOperationResult>();
        client.streams("x-api-key", backend).writeBatch(second).onNext(operation("bob"));
        var refusal = GrpcClient.refusal(second.failureAtTheEnd());
        assertThat(refusal.status()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(refusal.info().getReason()).isEqualTo("unavailable");

        operations.onCompleted();
        Wait.until(
                "the place is free",
                () -> {
                    var third = new GrpcResults<WriteOperationResult>();
                    var more = client.streams("x-api-key", backend).writeBatch(third);
                    more.onNext(operation("cat"));
                    more.onCompleted();
                    return third.failureAtTheEnd() == null;
                });
    }

    private WriteOperation operation(String user) {
        return WriteOperation.newBuilder()
                .setAdd(
                        AddRequest.newBuilder()
                                .setNamespaceId("posts")
                                .setEntityId(entity)
                                .setUserId(user)
                                .setReactionId("👍"))
                .build();
    }
}
