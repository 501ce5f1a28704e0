package dev.ovation.testing;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The answers to a call of gRPC, in the order of their arrival. */
public final class GrpcResults<A> implements StreamObserver<A> {

    private final List<A> all = new CopyOnWriteArrayList<>();
    private volatile StatusRuntimeException failure;
    private volatile boolean ended;

    @Override
    public void onNext(A result) {
        all.add(result);
    }

    @Override
    public void onError(Throwable thrown) {
        failure = (StatusRuntimeException) thrown;
        ended = true;
    }

    @Override
    public void onCompleted() {
        ended = true;
    }

    /** Returns the answers so far. */
    public List<A> all() {
        return all;
    }

    /** Waits for the end of the call, and returns its failure; null for none. */
    public StatusRuntimeException failureAtTheEnd() {
        Wait.until("the call has ended", () -> ended);
        return failure;
    }
}
