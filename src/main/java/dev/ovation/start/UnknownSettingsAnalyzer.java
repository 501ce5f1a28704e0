package dev.ovation.start;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows unknown settings without a stack trace, and without their values. */
class UnknownSettingsAnalyzer extends AbstractFailureAnalyzer<UnknownSettingsException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, UnknownSettingsException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()), "Correct the name, or remove it.", cause);
    }
}
