package dev.ovation.grpc;

import dev.ovation.access.Principal;
import dev.ovation.entity.Bound;
import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.grpc.v1.WriteOperationResult;
import dev.ovation.limit.Caller;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Writes operations of streams, those that have arrived together. Where permits are short it writes
 * fewer together, and then waits: a stream is held back rather than refused.
 */
final class OperationWriter {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** The operations of a stream that have arrived and wait, bounded in number and bytes. */
    static final class OperationBacklog {

        private static final int MOST = 200;
        private static final int TOGETHER = 100;

        private final long mostBytes;
        private final Queue<WriteOperation> operations = new ArrayDeque<>();
        private long bytes;

        /**
         * Creates an empty one.
         *
         * @param mostBytes beyond which it has no room; the last operation may exceed them
         */
        OperationBacklog(long mostBytes) {
            this.mostBytes = mostBytes;
        }

        void add(WriteOperation operation) {
            operations.add(operation);
            bytes += operation.getSerializedSize();
        }

        /** Returns whether one more operation may be read. */
        boolean hasRoom() {
            return operations.size() < MOST && bytes < mostBytes;
        }

        boolean isEmpty() {
            return operations.isEmpty();
        }

        /** Takes the oldest operations, at most {@value #TOGETHER}. */
        List<WriteOperation> take() {
            List<WriteOperation> taken = new ArrayList<>();
            while (taken.size() < TOGETHER && !operations.isEmpty()) {
                WriteOperation operation = operations.remove();
                bytes -= operation.getSerializedSize();
                taken.add(operation);
            }
            return taken;
        }

        void clear() {
            operations.clear();
            bytes = 0;
        }
    }

    private final CallRunner runner;
    private final ReactionCalls reactions;

    OperationWriter(CallRunner runner, ReactionCalls reactions) {
        this.runner = runner;
        this.reactions = reactions;
    }

    /**
     * Writes operations and sends their results.
     *
     * @param mayWait whether to wait for permits rather than to refuse; asked before each attempt
     * @throws ProblemException when the credential does not allow writes any more
     */
    void write(
            List<WriteOperation> operations,
            GrpcCall call,
            BooleanSupplier mayWait,
            Consumer<WriteOperationResult> results) {
        Principal who = runner.admission().again(call);
        List<Command> commands = new ArrayList<>();
        List<@Nullable ProblemException> refusals = new ArrayList<>();
        for (WriteOperation operation : operations) {
            Caller caller;
            try {
                caller = runner.admission().charged(who, call, CallMethod.WRITE_BATCH.scope());
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
        var outcomes = outcomes(commands, who, mayWait).iterator();
        for (int i = 0; i < operations.size(); i++) {
            ProblemException refusal = refusals.get(i);
            results.accept(
                    result(
                            operations.get(i).getNumber(),
                            refusal == null
                                    ? outcomes.next()
                                    : new WriteOutcome.Problematic(refusal)));
        }
    }

    /** Each operation has been charged already. */
    private List<WriteOutcome> outcomes(
            List<Command> commands, Principal who, BooleanSupplier mayWait) {
        while (!commands.isEmpty()) {
            boolean isPatient = mayWait.getAsBoolean();
            try {
                return isPatient
                        ? reactions.tryWrite(commands, who)
                        : reactions.write(commands.size(), commands, new Caller(who, null));
            } catch (RuntimeException e) {
                ProblemException problem = CallRunner.problem(CallMethod.WRITE_BATCH, e);
                if (problem.bound() != Bound.PERMITS || !isPatient) {
                    return Collections.nCopies(
                            commands.size(), new WriteOutcome.Problematic(problem));
                }
                if (commands.size() > 1) {
                    int half = commands.size() / 2;
                    var all = new ArrayList<>(outcomes(commands.subList(0, half), who, mayWait));
                    all.addAll(outcomes(commands.subList(half, commands.size()), who, mayWait));
                    return all;
                }
                pause(problem);
            }
        }
        return List.of();
    }

    /** Nothing was done, and the permits of other writes are soon free. */
    private static void pause(ProblemException refusal) {
        Duration wait = refusal.retryAfter();
        try {
            Thread.sleep(wait == null ? PAUSE : wait);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private WriteOperationResult result(long number, WriteOutcome outcome) {
        var result = WriteOperationResult.newBuilder().setNumber(number);
        switch (outcome) {
            case WriteOutcome.Completed done -> result.setApplied(done.applied());
            case WriteOutcome.Problematic failed -> {
                runner.count(failed.problem());
                result.setProblem(CallProblems.operation(failed.problem()));
            }
        }
        return result.build();
    }
}
