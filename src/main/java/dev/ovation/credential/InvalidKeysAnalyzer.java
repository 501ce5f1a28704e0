package dev.ovation.credential;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the defect of the key file at a start instead of a stack trace. */
class InvalidKeysAnalyzer extends AbstractFailureAnalyzer<InvalidKeysException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, InvalidKeysException cause) {
        return new FailureAnalysis(
                "The file of API keys cannot be used, line %d: %s"
                        .formatted(cause.line(), cause.getMessage()),
                "Correct the file, or name another one in OVATION_ACCESS_KEYS.",
                cause);
    }
}
