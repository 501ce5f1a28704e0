package dev.ovation.grpc;

import dev.ovation.web.guard.IncomingCall;
import dev.ovation.web.http.RequestId;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A call of gRPC as the gate reads it: metadata are its headers, the authority is its host. */
final class GrpcCall implements IncomingCall {

    private static final Context.Key<GrpcCall> KEY = Context.key("ovation-call");
    private static final Duration NO_DEADLINE = Duration.ofDays(1);

    /** The service asks for few names. */
    private static final Map<String, Metadata.Key<String>> NAMES = new ConcurrentHashMap<>();

    private final Metadata headers;
    private final String address;
    private final @Nullable String host;
    private final @Nullable Deadline deadline;

    GrpcCall(
            Metadata headers,
            String address,
            @Nullable String authority,
            @Nullable Deadline deadline) {
        this.headers = headers;
        this.address = address;
        this.host = authority == null ? null : withoutPort(authority);
        this.deadline = deadline;
    }

    /** Puts the call into the context of its handler. */
    static final class Interceptor implements ServerInterceptor {

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Context context = Context.current();
            var known =
                    new GrpcCall(
                            headers,
                            address(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)),
                            call.getAuthority(),
                            context.getDeadline());
            return Contexts.interceptCall(context.withValue(KEY, known), call, headers, next);
        }

        private static String address(@Nullable SocketAddress remote) {
            return remote instanceof InetSocketAddress internet && internet.getAddress() != null
                    ? internet.getAddress().getHostAddress()
                    : "";
        }
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
    public @Nullable String header(String name) {
        Iterable<String> values = headers.getAll(key(name));
        return values == null ? null : values.iterator().next();
    }

    @Override
    public boolean isRepeated(String name) {
        Iterable<String> values = headers.getAll(key(name));
        if (values == null) {
            return false;
        }
        var all = values.iterator();
        var _ = all.next();
        return all.hasNext();
    }

    /** Returns the id for logs and problems; another one each time where the client gave none. */
    String requestId() {
        return RequestId.of(header(RequestId.HEADER), header("traceparent"));
    }

    /** Returns whether the client waits no more. */
    boolean isLate() {
        return deadline != null && deadline.isExpired();
    }

    /** Returns the time until the client waits no more; a day for a call without a deadline. */
    Duration remaining() {
        return deadline == null
                ? NO_DEADLINE
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
