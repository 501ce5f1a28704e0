package dev.ovation.start;

import org.springframework.context.SmartLifecycle;

import java.time.Duration;

/**
 * A part of phase {@link StartPhase#BACKGROUND} whose stop waits for its threads. The parts stop
 * side by side, so that the phase waits for the longest of them, and not for their sum.
 */
public interface StoppedBeside extends SmartLifecycle {

    /** Time that the phase waits, whatever the time-out of requests is; longer than each part. */
    Duration LIMIT = Duration.ofSeconds(12);

    @Override
    default void stop(Runnable stopped) {
        Thread.ofPlatform()
                .name("stop")
                .start(
                        () -> {
                            try {
                                stop();
                            } finally {
                                stopped.run();
                            }
                        });
    }
}
