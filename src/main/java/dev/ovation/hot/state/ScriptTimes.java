package dev.ovation.hot.state;

import dev.ovation.entity.TimeBuckets;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The times of scripts: metric {@code ovation.script.duration}. */
public final class ScriptTimes {

    private final MeterRegistry registry;
    private final Map<ScriptTimerKey, Timer> timers = new ConcurrentHashMap<>();

    public ScriptTimes(MeterRegistry registry) {
        this.registry = registry;
    }

    private record ScriptTimerKey(String script, boolean answered) {}

    /** Measures a script from sending to its answer or failure. */
    public <T> CompletableFuture<T> timed(String script, CompletableFuture<T> reply) {
        long start = System.nanoTime();
        return reply.whenComplete(
                (_, error) ->
                        timer(new ScriptTimerKey(script, error == null))
                                .record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
    }

    private Timer timer(ScriptTimerKey key) {
        Timer timer = timers.get(key);
        return timer == null ? timers.computeIfAbsent(key, this::register) : timer;
    }

    private Timer register(ScriptTimerKey key) {
        return Timer.builder("ovation.script.duration")
                .description("Time from sending a script to its answer")
                .tag("script", key.script())
                .tag("outcome", key.answered() ? "answered" : "failed")
                .serviceLevelObjectives(TimeBuckets.of(TimeBuckets.CALLS))
                .register(registry);
    }
}
