package dev.ovation.grpc;

import io.grpc.stub.ServerCallStreamObserver;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The answers of a call, whose client takes them when the test says so. */
final class FakeObserver<A> extends ServerCallStreamObserver<A> {

    final List<A> answers = new CopyOnWriteArrayList<>();

    /** Completes with null where the call succeeds. */
    final CompletableFuture<Throwable> end = new CompletableFuture<>();

    volatile boolean ready;
    volatile boolean cancelled;

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public boolean isReady() {
        return ready;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void onNext(A answer) {
        answers.add(answer);
    }

    @Override
    public void onError(Throwable failure) {
        end.complete(failure);
    }

    @Override
    public void onCompleted() {
        end.complete(null);
    }
}
