package dev.ovation.simulation.app;

/**
 * What is to be thought of an answer.
 *
 * @param detail of a refusal its code, of an error a sentence
 */
public record Verdict(Kind kind, String detail) {

    /** Refused by the rules is legal. */
    public enum Kind {
        RIGHT,
        REFUSED,
        ERROR
    }

    static final Verdict RIGHT = new Verdict(Kind.RIGHT, "");

    static Verdict refused(String code) {
        return new Verdict(Kind.REFUSED, code);
    }

    static Verdict error(String sentence) {
        return new Verdict(Kind.ERROR, sentence);
    }

    public boolean isError() {
        return kind == Kind.ERROR;
    }
}
