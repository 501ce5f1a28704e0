package dev.ovation.grpc;

import dev.ovation.reaction.ReactionCalls;
import dev.ovation.trace.TraceParent;
import dev.ovation.web.guard.IncomingCall;
import dev.ovation.web.http.RequestId;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A call of gRPC as the gate reads it: metadata are its headers, the authority is its host. */
final class GrpcCall implements IncomingCall {

    private static final Context.Key<GrpcCall> KEY = Context.key("ovation-call");

    /** The service asks for few names. */
    private static final Map<String, Metadata.Key<String>> NAMES = new ConcurrentHashMap<>();

    private final Metadata headers;
    private final String address;
    private final @Nullable String host;
    private final @Nullable Deadline deadline;
    private final String requestId;

    GrpcCall(
            Metadata headers,
            String address,
            @Nullable String authority,
            @Nullable Deadline deadline) {
        this.headers = headers;
        this.address = address;
        this.host = authority == null ? null : withoutPort(authority);
        this.deadline = deadline;
        this.requestId = RequestId.of(header(RequestId.HEADER), header(TraceParent.HEADER));
    }

    /** Returns the call that the server has begun. */
    static GrpcCall of(ServerCall<?, ?> call, Metadata headers) {
        return new GrpcCall(
                headers,
                address(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)),
                call.getAuthority(),
                Context.current().getDeadline());
    }

    private static String address(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress().getHostAddress()
                : "";
    }

    /** Returns the context of this thread with the call as the {@link #current} one. */
    Context context() {
        return Context.current().withValue(KEY, this);
    }

    /** Begins a virtual thread whose log lines have the id of the call. */
    void start(Runnable work) {
        var _ =
                Thread.startVirtualThread(
                        () -> {
                            try (var _ = MDC.putCloseable(RequestId.NAME, requestId)) {
                                work.run();
                            }
                        });
    }

    /** Returns the call that the present thread handles. */
    static GrpcCall current() {
        return KEY.get();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public @Nullable String host() {
        return host;
    }

    @Override
    public Iterator<String> headers(String name) {
        Iterable<String> values = headers.getAll(key(name));
        return values == null ? Collections.emptyIterator() : values.iterator();
    }

    /** Returns whether the call bears a credential, which may be a wrong one. */
    boolean hasCredential() {
        return header("Authorization") != null || header("X-Api-Key") != null;
    }

    /** Returns the id for logs and problems. */
    String requestId() {
        return requestId;
    }

    /** Returns the header that names the span of the caller; null for none. */
    @Nullable String traceParent() {
        return header(TraceParent.HEADER);
    }

    /** Returns whether the client waits no more. */
    boolean isLate() {
        return deadline != null && deadline.isExpired();
    }

    /** Returns the time until the client waits no more. */
    Duration remaining() {
        return deadline == null
                ? ReactionCalls.ANY_TIME
                : Duration.ofNanos(Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS)));
    }

    private static Metadata.Key<String> key(String name) {
        return NAMES.computeIfAbsent(
                name, each -> Metadata.Key.of(each, Metadata.ASCII_STRING_MARSHALLER));
    }

    /** An address of IPv6 has brackets, and may have no port. */
    private static String withoutPort(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }
}
