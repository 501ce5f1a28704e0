package dev.ovation.grpc;

import dev.ovation.access.Scope;
import dev.ovation.grpc.v1.ReactionsGrpc;
import dev.ovation.limit.Caller;
import dev.ovation.trace.TraceSpan;
import dev.ovation.trace.Tracing;
import dev.ovation.web.problem.InternalErrors;
import dev.ovation.web.problem.PostgresFailures;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemCounter;
import dev.ovation.web.problem.ProblemException;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs calls, each on a virtual thread of its own: admits them, turns failures into a status with
 * details, and times them in metric {@code ovation.grpc.calls}.
 */
final class CallRunner {

    /** The others are the client's. */
    private static final Set<Status.Code> OWN_FAILURES =
            Set.of(
                    Status.Code.UNKNOWN,
                    Status.Code.DEADLINE_EXCEEDED,
                    Status.Code.INTERNAL,
                    Status.Code.UNAVAILABLE,
                    Status.Code.DATA_LOSS);

    private final CallAdmission admission;
    private final OpenCalls calls;
    private final Duration patience;
    private final ProblemCounter problems;
    private final MeterRegistry registry;
    private final Tracing tracing;
    private final Map<TimerKey, Timer> timers = new ConcurrentHashMap<>();

    private record TimerKey(String method, Status.Code status) {}

    /**
     * Creates a runner.
     *
     * @param patience time that a client may take to send its request, or to take an answer
     */
    CallRunner(
            CallAdmission admission,
            OpenCalls calls,
            Duration patience,
            ProblemCounter problems,
            MeterRegistry registry,
            Tracing tracing) {
        this.admission = admission;
        this.calls = calls;
        this.patience = patience;
        this.problems = problems;
        this.registry = registry;
        this.tracing = tracing;
    }

    /** The methods of the service. */
    enum CallMethod {
        ADD("Add", Scope.REACTIONS_WRITE),
        REMOVE("Remove", Scope.REACTIONS_WRITE),
        SET("Set", Scope.REACTIONS_WRITE),
        WRITE_BATCH("WriteBatch", Scope.REACTIONS_WRITE),
        GET("Get", Scope.REACTIONS_READ),
        QUERY("Query", Scope.REACTIONS_READ),
        LIST_REACTORS("ListReactors", Scope.CROWDS_READ),
        QUERY_REACTORS("QueryReactors", Scope.CROWDS_READ),
        LIST_USER_REACTIONS("ListUserReactions", Scope.USERS_READ),
        WATCH("Watch", Scope.REACTIONS_READ);

        private static final Map<String, CallMethod> BY_LABEL =
                Arrays.stream(values())
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        CallMethod::label, Function.identity()));

        private final String label;
        private final Scope scope;

        CallMethod(String label, Scope scope) {
            this.label = label;
            this.scope = scope;
        }

        static CallMethod of(MethodDescriptor<?, ?> method) {
            return Objects.requireNonNull(BY_LABEL.get(method.getBareMethodName()));
        }

        /** Returns the name in the proto file. */
        String label() {
            return label;
        }

        /** Returns the scope that a caller must hold. */
        Scope scope() {
            return scope;
        }

        /** Returns whether a call may change something. */
        boolean changes() {
            return !scope.isForReads();
        }
    }

    /** The work of a call. */
    @FunctionalInterface
    interface CallWork<A> {

        /** Does the work and hands out its answers. */
        void run(Caller caller, GrpcCall call, Consumer<A> answers);
    }

    CallAdmission admission() {
        return admission;
    }

    OpenCalls calls() {
        return calls;
    }

    /** Returns the time that a client may take to send its request, or to take an answer. */
    Duration patience() {
        return patience;
    }

    /** Runs a call that ends with its last answer. */
    <A> void run(CallMethod method, ServerCallStreamObserver<A> out, CallWork<A> work) {
        GrpcCall call = GrpcCall.current();
        long start = System.nanoTime();
        var uptake = new Uptake(out, patience);
        out.setOnReadyHandler(uptake::changed);
        out.setOnCancelHandler(uptake::changed);
        call.start(
                () -> {
                    Status.Code status = answer(method, call, out, uptake, work);
                    long time = System.nanoTime() - start;
                    timer(method, status).record(time, TimeUnit.NANOSECONDS);
                });
    }

    private @Nullable TraceSpan begin(CallMethod method, GrpcCall call) {
        return tracing.isOn() ? tracing.request(method.label(), call.traceParent(), true) : null;
    }

    private static void end(
            @Nullable TraceSpan span, CallMethod method, GrpcCall call, Status.Code status) {
        if (span == null) {
            return;
        }
        String name = ReactionsGrpc.SERVICE_NAME + "/" + method.label();
        span.named(name);
        span.with("rpc.system.name", "grpc").with("rpc.method", name);
        span.with("rpc.response.status_code", status.name());
        span.with("ovation.request_id", call.requestId());
        if (OWN_FAILURES.contains(status)) {
            span.fail(status.name());
        }
        span.end();
    }

    private <A> Status.Code answer(
            CallMethod method,
            GrpcCall call,
            ServerCallStreamObserver<A> out,
            Uptake uptake,
            CallWork<A> work) {
        TraceSpan span = null;
        StatusRuntimeException failure;
        try {
            if (call.isLate()) {
                throw Status.DEADLINE_EXCEEDED.asRuntimeException();
            }
            Caller caller = admission.admit(call, method.scope());
            // Later than the admission: a caller without a credential makes no spans.
            span = begin(method, call);
            try (var _ = TraceSpan.entered(span)) {
                work.run(
                        caller,
                        call,
                        answer -> {
                            uptake.await();
                            out.onNext(answer);
                        });
            }
            out.onCompleted();
            end(span, method, call, Status.Code.OK);
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            failure = e;
        } catch (Throwable e) {
            try (var _ = TraceSpan.entered(span)) {
                failure = failure(method, call, e);
            }
        }
        end(span, method, call, failure.getStatus().getCode());
        out.onError(failure);
        return failure.getStatus().getCode();
    }

    /** Counts a failure and returns it as the status of its call. */
    StatusRuntimeException failure(CallMethod method, GrpcCall call, Throwable failure) {
        ProblemException problem = problem(method, failure);
        problems.count(problem);
        return CallProblems.status(problem, method.changes(), call.requestId());
    }

    /** Counts a refusal of a part of a call. */
    void count(ProblemException problem) {
        problems.count(problem);
    }

    /** Returns the problem of a failure. */
    static ProblemException problem(CallMethod method, Throwable failure) {
        if (failure instanceof ProblemException problem) {
            return problem;
        }
        ProblemException known = PostgresFailures.problem(failure, method.changes());
        if (known != null) {
            return known;
        }
        InternalErrors.log("gRPC " + method.label(), failure);
        return new ProblemException(ProblemCode.INTERNAL, ProblemCode.INTERNAL.title());
    }

    private Timer timer(CallMethod method, Status.Code status) {
        var key = new TimerKey(method.label(), status);
        Timer timer = timers.get(key);
        return timer == null ? timers.computeIfAbsent(key, this::register) : timer;
    }

    private Timer register(TimerKey key) {
        return Timer.builder("ovation.grpc.calls")
                .description("Calls of gRPC that are no streams of their client, by status")
                .tag("method", key.method)
                .tag("status", key.status.name())
                .register(registry);
    }
}
