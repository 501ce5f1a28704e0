package dev.ovation.hot.link;

/** A script was sent and no answer arrived: it ran once or not at all. */
public class UnansweredException extends RuntimeException {

    public UnansweredException(Throwable cause) {
        super("Redis did not answer", cause);
    }
}
