package dev.ovation.rules.constraint;

/** An expression is not a constraint; the message is the second half of a sentence. */
public final class ConstraintException extends Exception {

    private static final long serialVersionUID = 1L;

    ConstraintException(String message) {
        super(message, null, false, false);
    }
}
