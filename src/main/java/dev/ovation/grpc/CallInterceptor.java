package dev.ovation.grpc;

import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.grpc.OpenCalls.OpenCall;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Puts the call into the context of its handler. A call without a credential that needs one is
 * refused before its request is read, and a call ends whose request does not arrive.
 */
final class CallInterceptor implements ServerInterceptor {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final CallRunner runner;

    CallInterceptor(CallRunner runner) {
        this.runner = runner;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        var known = GrpcCall.of(call, headers);
        try {
            runner.admission().admitBare(known, method(call).scope());
        } catch (RuntimeException e) {
            close(call, known, e);
            return new ServerCall.Listener<>() {};
        }
        ServerCall.Listener<Q> handler =
                Contexts.interceptCall(known.context(), call, headers, next);
        if (!call.getMethodDescriptor().getType().clientSendsOneMessage()) {
            return handler;
        }
        var arrival = new Arrival<Q>(call, known, handler);
        runner.calls().add(arrival);
        return arrival;
    }

    private static CallMethod method(ServerCall<?, ?> call) {
        return CallMethod.of(call.getMethodDescriptor());
    }

    private void close(ServerCall<?, ?> call, GrpcCall known, RuntimeException reason) {
        StatusRuntimeException failure = runner.failure(method(call), known, reason);
        Metadata trailers = failure.getTrailers();
        call.close(failure.getStatus(), trailers == null ? new Metadata() : trailers);
    }

    /** Waits for the request of a call. The handler begins when all of it has arrived. */
    private final class Arrival<Q> extends SimpleForwardingServerCallListener<Q>
            implements OpenCall {

        private final ServerCall<Q, ?> call;
        private final GrpcCall known;
        private final AtomicBoolean over = new AtomicBoolean();
        private final long since = System.nanoTime();

        Arrival(ServerCall<Q, ?> call, GrpcCall known, ServerCall.Listener<Q> handler) {
            super(handler);
            this.call = call;
            this.known = known;
        }

        @Override
        public void onMessage(Q message) {
            if (!over.get()) {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            if (over.compareAndSet(false, true)) {
                runner.calls().remove(this);
                super.onHalfClose();
            }
        }

        @Override
        public void onCancel() {
            forget();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            forget();
            super.onComplete();
        }

        private void forget() {
            over.set(true);
            runner.calls().remove(this);
        }

        @Override
        public void check(boolean stopping) {
            boolean late = System.nanoTime() - since > runner.patience().toNanos();
            if ((stopping || late) && over.compareAndSet(false, true)) {
                runner.calls().remove(this);
                close(call, known, problem(stopping));
            }
        }

        private ProblemException problem(boolean stopping) {
            return stopping
                    ? Problems.unavailable("this instance stops", RETRY_AFTER)
                    : new ProblemException(
                            ProblemCode.REQUEST_TIMEOUT, "the request did not arrive in time");
        }
    }
}
