package dev.ovation.protocol;

/** A broken promise. */
public final class Violation extends RuntimeException {
    public Violation(String promise) {
        super(promise);
    }
}
