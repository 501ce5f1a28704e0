package dev.ovation.web.problem;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failures without exception messages, because messages of drivers quote ids. */
public final class InternalErrors {

    private static final Logger LOG = LoggerFactory.getLogger(InternalErrors.class);

    private InternalErrors() {}

    /**
     * Logs the failure of a call; DEBUG has the messages.
     *
     * @param call method and route
     */
    public static void log(String call, Throwable failure) {
        LOG.error("{} failed", call, withoutMessages(failure));
        LOG.debug("Exception detail of the failed request", failure);
    }

    private static Throwable withoutMessages(Throwable failure) {
        Throwable cause = failure.getCause();
        var copy =
                new RuntimeException(
                        failure.getClass().getName(),
                        cause == null ? null : withoutMessages(cause));
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
