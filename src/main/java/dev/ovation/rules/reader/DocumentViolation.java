package dev.ovation.rules.reader;

/**
 * A violation in a configuration.
 *
 * @param file {@code reactions.yaml}, {@code reaction_sets.yaml}, {@code namespaces.yaml} or, in a
 *     request, {@code body}
 * @param line counted from 1; 0 for the whole file
 * @param message a sentence without its full stop
 */
public record DocumentViolation(String file, int line, String message) {

    /** Returns the violation in the form of compilers: {@code namespaces.yaml:3: id is missing}. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + message;
    }
}
