package dev.ovation.grpc;

import dev.ovation.access.Principal;
import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.grpc.OpenCalls.OpenCall;
import dev.ovation.grpc.OperationWriter.OperationBacklog;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.grpc.v1.WriteOperationResult;
import dev.ovation.limit.Caller;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.guard.Bulkhead.Permit;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * A stream of writes. Operations that have arrived are written together, as a batch of the REST API
 * is. Each costs a unit, and one that is refused does not end the stream.
 */
final class OperationStream implements StreamObserver<WriteOperation>, OpenCall {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Opener opener;
    private final CallRunner runner;
    private final GrpcCall call;
    private final ServerCallStreamObserver<WriteOperationResult> out;
    private final Uptake uptake;
    private final long since = System.nanoTime();
    private final OperationBacklog waiting;
    private boolean asked;
    private boolean running = true;
    private boolean allArrived;
    private @Nullable Permit place;
    private volatile boolean ended;
    private volatile @Nullable ProblemException lastWord;

    /** Opens streams, up to a bound. Of all places one caller leaves an eighth to the others. */
    static final class Opener {

        private final CallRunner runner;
        private final OperationWriter writer;
        private final Duration longest;
        private final long mostBytes;
        private final Bulkhead places;
        private final CallerBulkhead placesOfCallers;

        /**
         * Creates an opener.
         *
         * @param streams at the same time, at least 1
         * @param longest time after which a stream ends
         * @param mostBytes of operations that wait in one stream
         */
        Opener(
                CallRunner runner,
                ReactionCalls reactions,
                int streams,
                Duration longest,
                long mostBytes) {
            this.runner = runner;
            this.writer = new OperationWriter(runner, reactions);
            this.longest = longest;
            this.mostBytes = mostBytes;
            this.places = new Bulkhead("streams of operations", streams, RETRY_AFTER);
            this.placesOfCallers = CallerBulkhead.share("streams of operations", streams);
        }

        /** Begins a stream on a thread of its own, or ends the call with the refusal. */
        OperationStream begin(ServerCallStreamObserver<WriteOperationResult> out) {
            var stream = new OperationStream(this, GrpcCall.current(), out);
            out.disableAutoRequest();
            out.setOnReadyHandler(stream::wake);
            out.setOnCancelHandler(stream::end);
            runner.calls().add(stream);
            stream.call.start(stream::open);
            return stream;
        }

        private Permit place(Principal who) {
            Permit own = placesOfCallers.take(who);
            try {
                Permit one = places.take();
                return () -> {
                    one.close();
                    own.close();
                };
            } catch (ProblemException e) {
                own.close();
                throw e;
            }
        }
    }

    private OperationStream(
            Opener opener, GrpcCall call, ServerCallStreamObserver<WriteOperationResult> out) {
        this.opener = opener;
        this.runner = opener.runner;
        this.call = call;
        this.out = out;
        this.uptake = new Uptake(out, runner.patience());
        this.waiting = new OperationBacklog(opener.mostBytes);
    }

    @Override
    public void onNext(WriteOperation operation) {
        synchronized (this) {
            asked = false;
            if (!ended) {
                waiting.add(operation);
            }
        }
        ask();
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

    @Override
    public void check(boolean stopping) {
        if (stopping) {
            leave(Problems.unavailable("this instance stops", RETRY_AFTER));
        } else if (System.nanoTime() - since > opener.longest.toNanos()) {
            leave(Problems.unavailable("the stream is too old, open another", RETRY_AFTER));
        } else if (uptake.hasStopped()) {
            leave(Uptake.notTaken());
        }
    }

    /** Ends the stream after the operations that are being written. */
    private void leave(ProblemException why) {
        if (lastWord == null) {
            lastWord = why;
            wake();
        }
    }

    private void end() {
        Permit given;
        synchronized (this) {
            ended = true;
            waiting.clear();
            given = place;
            place = null;
        }
        runner.calls().remove(this);
        if (given != null) {
            given.close();
        }
    }

    private synchronized void wake() {
        if (!running && !ended && (lastWord != null || allArrived || !waiting.isEmpty())) {
            running = true;
            call.start(this::work);
        }
    }

    /** Asks the client for one more operation, as long as few wait. */
    private synchronized void ask() {
        if (waiting.hasRoom() && !asked && !ended && lastWord == null) {
            asked = true;
            out.request(1);
        }
    }

    /** Admits the call before it reads operations. */
    private void open() {
        try {
            Caller caller = runner.admission().admit(call, CallMethod.WRITE_BATCH.scope());
            hold(opener.place(caller.who()));
        } catch (Throwable e) {
            fail(e);
            return;
        }
        ask();
        work();
    }

    private void hold(Permit given) {
        synchronized (this) {
            if (!ended) {
                place = given;
                return;
            }
        }
        given.close();
    }

    private void work() {
        try {
            for (List<WriteOperation> next = next(); !next.isEmpty(); next = next()) {
                ask();
                opener.writer.write(next, call, () -> !ended && lastWord == null, out::onNext);
            }
            complete();
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Ends the call after its last operation; its place is free before the client hears of it. */
    private void complete() {
        if (ended && allArrived) {
            end();
            out.onCompleted();
        }
    }

    private void fail(Throwable failure) {
        end();
        out.onError(runner.failure(CallMethod.WRITE_BATCH, call, failure));
    }

    /**
     * Returns the next operations; none when the thread has nothing to do.
     *
     * @throws ProblemException when the service ends the stream
     */
    private synchronized List<WriteOperation> next() {
        ProblemException why = lastWord;
        if (why != null && !ended) {
            throw why;
        }
        if (!ended && allArrived && waiting.isEmpty()) {
            ended = true;
        }
        if (ended || waiting.isEmpty() || !uptake.isReady()) {
            running = false;
            return List.of();
        }
        return waiting.take();
    }
}
