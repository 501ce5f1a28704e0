package dev.ovation.outbox;

import org.springframework.dao.TransientDataAccessException;

/**
 * A change of {@link PartitionTransactions} is committed. Reads may show the state before it until
 * the relay has judged all events that were proposed on that state, or a new epoch has begun; both
 * happen without an action. The change may not be announced to the watchers of its entities. A
 * caller that is to report it as made calls {@link PartitionTransactions#acknowledgeAgain} until it
 * returns true.
 */
public class UnsettledException extends TransientDataAccessException {

    public UnsettledException(String message) {
        super(message);
    }
}
