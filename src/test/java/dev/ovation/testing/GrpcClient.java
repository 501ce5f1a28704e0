package dev.ovation.testing;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;

import dev.ovation.grpc.v1.ReactionsGrpc;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;

import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/** A client of the gRPC interface of an instance. */
public final class GrpcClient implements AutoCloseable {

    private final ManagedChannel channel;

    /** The settings of an instance that serves gRPC on a free port. */
    public static final String[] SETTINGS = {
        "spring.grpc.server.enabled=true", "spring.grpc.server.port=0"
    };

    /**
     * A refusal.
     *
     * @param info null when the details have none
     */
    public record Refusal(Status.Code status, ErrorInfo info, boolean hasRetryInfo) {}

    /** Connects to an instance with {@link #SETTINGS}. */
    public GrpcClient(Instance instance) {
        channel =
                Grpc.newChannelBuilder(
                                "127.0.0.1:" + instance.bean(GrpcServerLifecycle.class).getPort(),
                                InsecureChannelCredentials.create())
                        .build();
    }

    public ManagedChannel channel() {
        return channel;
    }

    /** Calls that wait; {@code headers} alternate names and values. */
    public ReactionsGrpc.ReactionsBlockingStub calls(String... headers) {
        return ReactionsGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata(headers)));
    }

    /** Calls that do not wait. */
    public ReactionsGrpc.ReactionsStub streams(String... headers) {
        return ReactionsGrpc.newStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata(headers)));
    }

    /** Headers as metadata; they alternate names and values. */
    public static Metadata metadata(String... headers) {
        var metadata = new Metadata();
        for (int i = 0; i < headers.length; i += 2) {
            metadata.put(
                    Metadata.Key.of(headers[i], Metadata.ASCII_STRING_MARSHALLER), headers[i + 1]);
        }
        return metadata;
    }

    /** Makes a call that must be refused. */
    public static Refusal refusal(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            return refusal(e);
        }
        throw new AssertionError("the call was not refused");
    }

    /** Reads the details of a refusal. */
    public static Refusal refusal(StatusRuntimeException e) {
        var status = StatusProto.fromThrowable(e);
        ErrorInfo info = null;
        boolean hasRetryInfo = false;
        try {
            for (var detail : status.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    info = detail.unpack(ErrorInfo.class);
                }
                hasRetryInfo |= detail.is(RetryInfo.class);
            }
        } catch (InvalidProtocolBufferException unreadable) {
            throw new AssertionError(unreadable);
        }
        return new Refusal(e.getStatus().getCode(), info, hasRetryInfo);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
