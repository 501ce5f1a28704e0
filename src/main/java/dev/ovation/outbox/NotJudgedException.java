package dev.ovation.outbox;

import org.springframework.dao.TransientDataAccessException;

/**
 * A change of {@link Interventions} is committed and acknowledged to Redis, but the relay has not
 * judged all events that were proposed on the state before it. Reads may show that state until the
 * relay has; no action is needed for that.
 */
public class NotJudgedException extends TransientDataAccessException {

    public NotJudgedException(String message) {
        super(message);
    }
}
