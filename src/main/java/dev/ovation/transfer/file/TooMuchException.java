package dev.ovation.transfer.file;

import java.io.IOException;

/** A file beyond a limit; its message continues a sentence about the file. */
public final class TooMuchException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception. The message is a verb and an object, such as {@code has more than 5
     * rows}.
     */
    public TooMuchException(String message) {
        super(message);
    }
}
