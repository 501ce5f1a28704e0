package dev.ovation.grpc;

import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.grpc.OpenCalls.OpenCall;
import dev.ovation.grpc.v1.WatchEvent;
import dev.ovation.grpc.v1.WatchRequest;
import dev.ovation.live.LiveStreams;
import dev.ovation.live.LiveStreams.LiveEvent;
import dev.ovation.live.LiveStreams.LiveStream;

import io.grpc.stub.ServerCallStreamObserver;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Writes the events of one stream, as far as its client reads; holds no thread between two. A
 * stream whose client reads nothing for too long ends.
 */
final class WatchOutlet implements OpenCall {

    /** Time for the last events of a stream that is over. */
    private static final Duration AT_THE_END = Duration.ofSeconds(1);

    private final CallRunner runner;
    private final GrpcCall call;
    private final ServerCallStreamObserver<WatchEvent> out;
    private final Uptake uptake;
    private @Nullable LiveStream stream;
    private boolean ended;

    private WatchOutlet(
            CallRunner runner, GrpcCall call, ServerCallStreamObserver<WatchEvent> out) {
        this.runner = runner;
        this.call = call;
        this.out = out;
        this.uptake = new Uptake(out, runner.patience());
    }

    /** Opens a stream on a thread of its own, or ends the call with the refusal. */
    static void begin(
            WatchRequest request,
            CallRunner runner,
            LiveStreams streams,
            ServerCallStreamObserver<WatchEvent> out) {
        var outlet = new WatchOutlet(runner, GrpcCall.current(), out);
        out.setOnCancelHandler(outlet::cancelled);
        out.setOnReadyHandler(outlet::pump);
        runner.calls().add(outlet);
        outlet.call.start(() -> outlet.open(request, streams));
    }

    private void open(WatchRequest request, LiveStreams streams) {
        try {
            connect(
                    streams.open(
                            RequestFields.watch(request),
                            request.getEntityIdsList(),
                            RequestFields.given(request.getLastEventId()),
                            runner.admission().admit(call, CallMethod.WATCH.scope()),
                            call));
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void connect(LiveStream opened) {
        boolean late;
        synchronized (this) {
            late = ended;
            stream = opened;
        }
        if (late) {
            opened.ended();
        } else {
            opened.connect(this::pump);
        }
    }

    /** Writes what the stream has and the client takes. */
    private void pump() {
        try {
            if (writeAll() && release()) {
                out.onCompleted();
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /** Returns whether the stream has ended and all is written. */
    private synchronized boolean writeAll() {
        LiveStream from = stream;
        while (from != null && !ended && uptake.isReady()) {
            boolean over = from.isOver();
            LiveEvent event = from.next();
            if (event == null) {
                return over;
            }
            out.onNext(Messages.event(event));
        }
        return false;
    }

    @Override
    public void check(boolean stopping) {
        if (isOver() ? uptake.hasStopped(AT_THE_END) : uptake.hasStopped()) {
            fail(Uptake.notTaken());
        }
    }

    private synchronized boolean isOver() {
        return stream != null && stream.isOver();
    }

    private void fail(Throwable failure) {
        if (release()) {
            out.onError(runner.failure(CallMethod.WATCH, call, failure));
        }
    }

    private void cancelled() {
        var _ = release();
    }

    /** Returns false when it was released before. */
    private boolean release() {
        LiveStream opened;
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
            opened = stream;
        }
        runner.calls().remove(this);
        if (opened != null) {
            opened.ended();
        }
        return true;
    }
}
