package dev.ovation.outbox;

import org.springframework.dao.TransientDataAccessException;

/**
 * A change of {@link Interventions} is committed and Redis was told, but what was proposed on the
 * state before is not judged yet: until then some may be shown that state. It passes by itself.
 */
public class NotJudgedException extends TransientDataAccessException {

    public NotJudgedException(String message) {
        super(message);
    }
}
