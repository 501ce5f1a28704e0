package dev.ovation.hot.state;

/** Receives the events that this instance proposed. */
@FunctionalInterface
public interface OwnEvents {

    /**
     * Receives an event. The events of a partition arrive in their order. Each arrives before any
     * change that was proposed after its answer, so that the listener has every earlier event of
     * this instance.
     *
     * @param event its text, as it is in the outbox
     */
    void proposed(int p, long epoch, long seq, String event);
}
