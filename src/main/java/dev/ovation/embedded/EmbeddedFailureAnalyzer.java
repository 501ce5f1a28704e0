package dev.ovation.embedded;

import dev.ovation.embedded.server.EmbeddedException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the sentence of an {@link EmbeddedException} instead of a stack trace. */
class EmbeddedFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
    }
}
