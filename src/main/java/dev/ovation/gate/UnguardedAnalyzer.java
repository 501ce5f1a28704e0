package dev.ovation.gate;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the handlers that demand no scope instead of a stack trace. */
class UnguardedAnalyzer extends AbstractFailureAnalyzer<UnguardedException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, UnguardedException cause) {
        return new FailureAnalysis(
                "Anybody could call what demands no scope: " + String.join(", ", cause.names()),
                "Put @RequiresScope on the method of a controller; name the scope of an endpoint in"
                        + " ovation.access.endpoints, or do not expose it.",
                cause);
    }
}
