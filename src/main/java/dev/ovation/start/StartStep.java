package dev.ovation.start;

import org.springframework.context.SmartLifecycle;

/**
 * A step of the start that needs a server, in a phase of {@link StartPhase}. There is nothing to
 * stop.
 */
public interface StartStep extends SmartLifecycle {

    @Override
    default void stop() {}

    @Override
    default boolean isRunning() {
        return false;
    }
}
