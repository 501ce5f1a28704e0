package dev.ovation.grpc;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycleEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The calls that the service may have to end: requests that have not arrived, and streams. Each is
 * checked once a second, and when the server stops.
 */
final class OpenCalls implements ApplicationListener<GrpcServerLifecycleEvent>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);

    private final Set<OpenCall> calls = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("grpc-clock").factory());
    private volatile boolean stopping;

    /** A call that the service may have to end. */
    @FunctionalInterface
    interface OpenCall {

        /** Ends the call if it waits for its client too long, or if the server stops. */
        void check(boolean stopping);
    }

    OpenCalls() {
        var _ = clock.scheduleWithFixedDelay(this::check, 1, 1, TimeUnit.SECONDS);
    }

    void add(OpenCall call) {
        calls.add(call);
        if (stopping) {
            check(call);
        }
    }

    void remove(OpenCall call) {
        calls.remove(call);
    }

    @Override
    public void onApplicationEvent(GrpcServerLifecycleEvent event) {
        stopping = !(event instanceof GrpcServerStartedEvent);
        check();
    }

    private void check() {
        calls.forEach(this::check);
    }

    private void check(OpenCall call) {
        try {
            call.check(stopping);
        } catch (Throwable e) { // an error would end all checks to come
            LOG.warn("A call cannot be checked: {}", e.getClass().getSimpleName());
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
