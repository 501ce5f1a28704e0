package dev.ovation.protocol;

/** A promise was broken. */
public final class Violation extends RuntimeException {
    public Violation(String promise) {
        super(promise);
    }
}
