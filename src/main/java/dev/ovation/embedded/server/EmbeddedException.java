package dev.ovation.embedded.server;

import org.jspecify.annotations.Nullable;

/**
 * The reason why the service cannot start, as one sentence with the remedy; shown without a trace.
 */
public class EmbeddedException extends RuntimeException {

    public EmbeddedException(String sentence) {
        this(sentence, null);
    }

    EmbeddedException(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
