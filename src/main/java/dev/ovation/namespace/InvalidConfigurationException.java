package dev.ovation.namespace;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration was refused; carries everything that is wrong with it. */
public final class InvalidConfigurationException extends RuntimeException {

    private final List<Violation> violations;

    InvalidConfigurationException(List<Violation> violations) {
        super(violations.stream().map(Violation::toString).collect(Collectors.joining("\n")));
        this.violations = List.copyOf(violations);
    }

    /** At least one; ordered by file and line. */
    public List<Violation> violations() {
        return violations;
    }
}
