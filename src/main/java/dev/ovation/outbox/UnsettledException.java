package dev.ovation.outbox;

import org.springframework.dao.TransientDataAccessException;

/**
 * A change of {@link PartitionTransactions} is committed and acknowledged to Redis, but the relay
 * has not judged all events that were proposed on the state before it. Reads may show that state
 * until the relay has judged them; no action is needed.
 */
public class UnsettledException extends TransientDataAccessException {

    public UnsettledException(String message) {
        super(message);
    }
}
