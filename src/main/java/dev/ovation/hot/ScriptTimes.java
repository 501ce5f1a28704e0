package dev.ovation.hot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The times of scripts: metric {@code ovation.script.duration}. */
public final class ScriptTimes {

    private final MeterRegistry registry;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    ScriptTimes(MeterRegistry registry) {
        this.registry = registry;
    }

    private record Key(String script, boolean answered) {}

    /** Measures a script from sending to its answer, also when it fails. */
    public <T> CompletableFuture<T> timed(String script, CompletableFuture<T> reply) {
        long start = System.nanoTime();
        return reply.whenComplete(
                (_, error) ->
                        timer(new Key(script, error == null))
                                .record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
    }

    private Timer timer(Key key) {
        Timer timer = timers.get(key);
        return timer == null ? timers.computeIfAbsent(key, this::register) : timer;
    }

    private Timer register(Key key) {
        return Timer.builder("ovation.script.duration")
                .description("Time from sending a script to its answer")
                .tag("script", key.script())
                .tag("outcome", key.answered() ? "answered" : "failed")
                .register(registry);
    }
}
