package dev.ovation.outbox;

import org.springframework.dao.TransientDataAccessException;

/**
 * A change of {@link PartitionTransactions} is committed, and acknowledged to Redis or about to be
 * shown by a new epoch, but the relay has not judged all events that were proposed on the state
 * before it, and the new epoch has not begun. Reads may show that state until then; no action is
 * needed.
 */
public class UnsettledException extends TransientDataAccessException {

    public UnsettledException(String message) {
        super(message);
    }
}
