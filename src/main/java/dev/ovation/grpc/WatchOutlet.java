package dev.ovation.grpc;

import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.grpc.v1.WatchEvent;
import dev.ovation.grpc.v1.WatchRequest;
import dev.ovation.live.LiveStreams;
import dev.ovation.live.LiveStreams.LiveEvent;
import dev.ovation.live.LiveStreams.LiveStream;

import io.grpc.stub.ServerCallStreamObserver;

import org.jspecify.annotations.Nullable;

/** Writes the events of one stream, as far as its client reads; holds no thread between two. */
final class WatchOutlet {

    private final ServerCallStreamObserver<WatchEvent> out;
    private @Nullable LiveStream stream;
    private boolean ended;

    private WatchOutlet(ServerCallStreamObserver<WatchEvent> out) {
        this.out = out;
    }

    /** Opens a stream on a thread of its own, or ends the call with the refusal. */
    static void begin(
            CallMethod method,
            WatchRequest request,
            CallRunner runner,
            LiveStreams streams,
            ServerCallStreamObserver<WatchEvent> out) {
        GrpcCall call = GrpcCall.current();
        var outlet = new WatchOutlet(out);
        out.setOnCancelHandler(outlet::cancelled);
        out.setOnReadyHandler(outlet::pump);
        var _ =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                outlet.connect(open(method, request, runner, streams, call));
                            } catch (Throwable e) {
                                outlet.fail(runner.failure(method, call, e));
                            }
                        });
    }

    private static LiveStream open(
            CallMethod method,
            WatchRequest request,
            CallRunner runner,
            LiveStreams streams,
            GrpcCall call) {
        return streams.open(
                RequestFields.watch(request),
                request.getEntityIdsList(),
                RequestFields.given(request.getLastEventId()),
                runner.admission().admit(call, method.scope()),
                call);
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

    private void fail(RuntimeException failure) {
        LiveStream opened = end();
        if (opened != null) {
            opened.ended();
        }
        out.onError(failure);
    }

    /** Writes what the stream has and the client takes. */
    private void pump() {
        LiveStream over = null;
        synchronized (this) {
            LiveStream from = stream;
            if (from == null || ended) {
                return;
            }
            while (out.isReady()) {
                LiveEvent event = from.next();
                if (event != null) {
                    out.onNext(Messages.event(event));
                } else if (from.isOver()) {
                    ended = true;
                    over = from;
                    out.onCompleted();
                    break;
                } else {
                    break;
                }
            }
        }
        if (over != null) {
            over.ended();
        }
    }

    private void cancelled() {
        LiveStream opened = end();
        if (opened != null) {
            opened.ended();
        }
    }

    private synchronized @Nullable LiveStream end() {
        ended = true;
        return stream;
    }
}
