package dev.ovation.configuration;

import dev.ovation.rules.reader.InvalidConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the violations of the files of a first start instead of a stack trace. */
class InvalidConfigurationAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, InvalidConfigurationException cause) {
        return new FailureAnalysis(
                "The configuration files are invalid, and no earlier version is stored:\n"
                        + cause.getMessage(),
                "Correct the files, or name another folder in OVATION_CONFIG_DIR.",
                cause);
    }
}
