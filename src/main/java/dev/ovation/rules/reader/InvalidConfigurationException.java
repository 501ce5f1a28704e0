package dev.ovation.rules.reader;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration was refused; carries all violations. */
public final class InvalidConfigurationException extends RuntimeException {

    private final List<DocumentViolation> violations;

    InvalidConfigurationException(List<DocumentViolation> violations) {
        super(
                violations.stream()
                        .map(DocumentViolation::toString)
                        .collect(Collectors.joining("\n")));
        this.violations = List.copyOf(violations);
    }

    /** Returns at least one violation; ordered by file and line. */
    public List<DocumentViolation> violations() {
        return violations;
    }
}
