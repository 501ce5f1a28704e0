package dev.ovation.transfer.file;

/** A row that cannot be imported; its message continues a sentence that begins with the line. */
final class BadRowException extends Exception {

    private final String problem;

    BadRowException(String problem) {
        super(problem, null, false, false);
        this.problem = problem;
    }

    String problem() {
        return problem;
    }
}
