package dev.ovation.simulation.app;

/**
 * The verdict on an answer.
 *
 * @param detail of a refusal its code, of an error a sentence
 */
public record Verdict(Kind kind, String detail) {

    /** A refusal by the rules is legal. */
    public enum Kind {
        RIGHT,
        REFUSED,
        /** A 5xx, or no answer. */
        FAILED,
        /** An answer that contradicts an earlier one, or the contract. */
        WRONG
    }

    static final Verdict RIGHT = new Verdict(Kind.RIGHT, "");

    static Verdict refused(String code) {
        return new Verdict(Kind.REFUSED, code);
    }

    static Verdict failed(String sentence) {
        return new Verdict(Kind.FAILED, sentence);
    }

    static Verdict wrong(String sentence) {
        return new Verdict(Kind.WRONG, sentence);
    }

    public boolean isError() {
        return kind == Kind.FAILED || kind == Kind.WRONG;
    }
}
