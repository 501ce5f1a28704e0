package dev.ovation.grpc;

import dev.ovation.access.Principal;
import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.grpc.v1.WriteOperationResult;
import dev.ovation.limit.Caller;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;

/**
 * A stream of writes. Operations that have arrived are written together, as a batch of the REST API
 * is. Each costs a unit, and one that is refused does not end the stream. No more operations are
 * read while {@value #MOST_WAITING} wait, or while the client does not read the results.
 */
final class OperationStream implements StreamObserver<WriteOperation> {

    private static final int TOGETHER = 100;
    private static final int MOST_WAITING = 200;

    private final CallMethod method;
    private final CallRunner runner;
    private final ReactionCalls reactions;
    private final GrpcCall call;
    private final ServerCallStreamObserver<WriteOperationResult> out;
    private final Queue<WriteOperation> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean allArrived;
    private boolean ended;

    private OperationStream(
            CallMethod method,
            CallRunner runner,
            ReactionCalls reactions,
            GrpcCall call,
            ServerCallStreamObserver<WriteOperationResult> out) {
        this.method = method;
        this.runner = runner;
        this.reactions = reactions;
        this.call = call;
        this.out = out;
    }

    /** Begins a stream on a thread of its own, or ends the call with the refusal. */
    static OperationStream begin(
            CallMethod method,
            CallRunner runner,
            ReactionCalls reactions,
            ServerCallStreamObserver<WriteOperationResult> out) {
        var stream = new OperationStream(method, runner, reactions, GrpcCall.current(), out);
        out.disableAutoRequest();
        out.setOnReadyHandler(stream::wake);
        out.setOnCancelHandler(stream::end);
        stream.running = true;
        var _ = Thread.startVirtualThread(stream::open);
        return stream;
    }

    @Override
    public void onNext(WriteOperation operation) {
        synchronized (this) {
            waiting.add(operation);
        }
        wake();
    }

    @Override
    public void onError(Throwable failure) {
        end();
    }

    @Override
    public void onCompleted() {
        synchronized (this) {
            allArrived = true;
        }
        wake();
    }

    private synchronized void end() {
        ended = true;
        waiting.clear();
    }

    private synchronized void wake() {
        if (!running && !ended && (allArrived || !waiting.isEmpty())) {
            running = true;
            var _ = Thread.startVirtualThread(this::work);
        }
    }

    /** Admits the call before it reads operations. */
    private void open() {
        try {
            var _ = runner.admission().admit(call, method.scope());
        } catch (Throwable e) {
            fail(e);
            return;
        }
        out.request(MOST_WAITING);
        work();
    }

    private void work() {
        try {
            for (List<WriteOperation> next = next(); !next.isEmpty(); next = next()) {
                write(next);
                out.request(next.size());
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        end();
        out.onError(runner.failure(method, call, failure));
    }

    /** Returns the next operations; none when the thread has nothing to do. */
    private synchronized List<WriteOperation> next() {
        if (!ended && allArrived && waiting.isEmpty()) {
            ended = true;
            out.onCompleted();
        }
        if (ended || waiting.isEmpty() || !out.isReady()) {
            running = false;
            return List.of();
        }
        List<WriteOperation> next = new ArrayList<>();
        while (next.size() < TOGETHER && !waiting.isEmpty()) {
            next.add(waiting.remove());
        }
        return next;
    }

    /**
     * Writes operations and sends their results.
     *
     * @throws ProblemException when the credential does not allow writes any more
     */
    private void write(List<WriteOperation> operations) {
        Principal who = runner.admission().again(call);
        List<Command> commands = new ArrayList<>();
        List<@Nullable ProblemException> refusals = new ArrayList<>();
        for (WriteOperation operation : operations) {
            Caller caller;
            try {
                caller = runner.admission().charged(who, call, method.scope());
            } catch (ProblemException e) {
                if (e.code() != ProblemCode.RATE_LIMITED) {
                    throw e;
                }
                refusals.add(e);
                continue;
            }
            try {
                Command command = RequestFields.operation(operation, who);
                caller.user(command.user());
                commands.add(command);
                refusals.add(null);
            } catch (ProblemException e) {
                refusals.add(e);
            }
        }
        var outcomes = outcomes(commands, who).iterator();
        for (int i = 0; i < operations.size(); i++) {
            ProblemException refusal = refusals.get(i);
            send(
                    operations.get(i).getNumber(),
                    refusal == null ? outcomes.next() : new WriteOutcome.Problematic(refusal));
        }
    }

    /** Each operation has been charged already. */
    private List<WriteOutcome> outcomes(List<Command> commands, Principal who) {
        try {
            return reactions.write(commands.size(), commands, new Caller(who, null));
        } catch (RuntimeException e) {
            var problem = new WriteOutcome.Problematic(CallRunner.problem(method, e));
            return Collections.nCopies(commands.size(), problem);
        }
    }

    private void send(long number, WriteOutcome outcome) {
        var result = WriteOperationResult.newBuilder().setNumber(number);
        switch (outcome) {
            case WriteOutcome.Completed done -> result.setApplied(done.applied());
            case WriteOutcome.Problematic failed -> {
                runner.count(failed.problem());
                result.setProblem(CallProblems.operation(failed.problem()));
            }
        }
        out.onNext(result.build());
    }
}
