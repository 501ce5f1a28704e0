package dev.ovation.start;

import org.springframework.context.SmartLifecycle;

/**
 * A part whose stop waits for its threads. The parts of one phase stop side by side, so that the
 * longest wait of all is that of the phase, and not their sum.
 */
public interface StoppedBeside extends SmartLifecycle {

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
