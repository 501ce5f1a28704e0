package dev.ovation.credential;

/** The file of keys cannot be used; the message is one sentence with the line. */
public final class InvalidKeysException extends RuntimeException {

    private final int line;

    InvalidKeysException(int line, String message) {
        super(message, null, false, false);
        this.line = line;
    }

    /** The line, counted from 1; 0 when the file as a whole is meant. */
    public int line() {
        return line;
    }
}
