package dev.ovation.grpc;

import dev.ovation.access.Scope;
import dev.ovation.limit.Caller;
import dev.ovation.web.problem.InternalErrors;
import dev.ovation.web.problem.PostgresFailures;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemCounter;
import dev.ovation.web.problem.ProblemException;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs calls, each on a virtual thread of its own: admits them, turns failures into a status with
 * details, and times them in metric {@code ovation.grpc.calls}.
 */
final class CallRunner {

    private final CallAdmission admission;
    private final ProblemCounter problems;
    private final MeterRegistry registry;
    private final Map<TimerKey, Timer> timers = new ConcurrentHashMap<>();

    private record TimerKey(String method, Status.Code status) {}

    CallRunner(CallAdmission admission, ProblemCounter problems, MeterRegistry registry) {
        this.admission = admission;
        this.problems = problems;
        this.registry = registry;
    }

    /**
     * A method of the service.
     *
     * @param name as the proto file has it
     * @param scope that a caller must hold
     */
    record CallMethod(String name, Scope scope) {

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

    /** Runs a call that ends with its last answer. */
    <A> void run(CallMethod method, StreamObserver<A> observer, CallWork<A> work) {
        GrpcCall call = GrpcCall.current();
        long start = System.nanoTime();
        ignoreCancellation(observer);
        var _ =
                Thread.startVirtualThread(
                        () -> {
                            Status.Code status = answer(method, call, observer, work);
                            timer(method, status)
                                    .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
                        });
    }

    /** Without a handler, an answer to a client that has left would be an exception. */
    private static void ignoreCancellation(StreamObserver<?> observer) {
        if (observer instanceof ServerCallStreamObserver<?> call) {
            call.setOnCancelHandler(() -> {});
        }
    }

    private <A> Status.Code answer(
            CallMethod method, GrpcCall call, StreamObserver<A> observer, CallWork<A> work) {
        try {
            if (call.isLate()) {
                observer.onError(Status.DEADLINE_EXCEEDED.asRuntimeException());
                return Status.Code.DEADLINE_EXCEEDED;
            }
            work.run(admission.admit(call, method.scope), call, observer::onNext);
            observer.onCompleted();
            return Status.Code.OK;
        } catch (Throwable e) {
            StatusRuntimeException failure = failure(method, call, e);
            observer.onError(failure);
            return failure.getStatus().getCode();
        }
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
        InternalErrors.log("gRPC " + method.name, failure);
        return new ProblemException(ProblemCode.INTERNAL, ProblemCode.INTERNAL.title());
    }

    private Timer timer(CallMethod method, Status.Code status) {
        var key = new TimerKey(method.name, status);
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
