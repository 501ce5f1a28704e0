package dev.ovation.hot;

/**
 * Named places between the steps of a change, at which a test can let an instance pause, fail or
 * die. The product does nothing there.
 */
@FunctionalInterface
public interface Failpoints {

    /** Does nothing anywhere. */
    Failpoints NONE = _ -> {};

    /** Where; in the order in which a change comes by. */
    enum Point {
        /** A loader has read its snapshot of Postgres. */
        AFTER_LOAD_READ,
        /** What was loaded is about to be sent to Redis. */
        BEFORE_INSTALL,
        /** The write script has answered; its request has not heard the verdict. */
        AFTER_SCRIPT,
        /** The relay has read outboxes and has not begun its transaction. */
        AFTER_READ,
        /** Within the relay's transaction, all statements done. */
        BEFORE_COMMIT,
        /** The transaction is committed, and nobody knows. */
        AFTER_COMMIT,
        /** Waiting requests are told; Redis is not. */
        BEFORE_ACK
    }

    /**
     * Called by whoever reaches a point, on its own thread.
     *
     * @throws RuntimeException in tests, in the place of what may fail there
     */
    void reached(Point point);
}
