package dev.ovation.credential;

/** An invalid key file; the message is one sentence with the line. */
public final class InvalidKeysException extends RuntimeException {

    private final int line;

    InvalidKeysException(int line, String message) {
        super(message, null, false, false);
        this.line = line;
    }

    /** Returns the line, counted from 1; 0 for a defect of the file as a whole. */
    public int line() {
        return line;
    }
}
