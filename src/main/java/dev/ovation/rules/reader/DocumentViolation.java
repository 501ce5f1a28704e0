package dev.ovation.rules.reader;

/**
 * Something wrong in a configuration.
 *
 * @param file {@code reactions.yaml}, {@code reaction_sets.yaml}, {@code namespaces.yaml} or, of a
 *     request, {@code body}
 * @param line counted from 1; 0 when it is about the file as a whole
 * @param message a sentence without its full stop
 */
public record DocumentViolation(String file, int line, String message) {

    /** As compilers put it: {@code namespaces.yaml:3: id is missing}. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + message;
    }
}
