package dev.ovation.start;

/** Properties under {@code ovation} that are no settings; the message has a line for each. */
class UnknownSettingsException extends RuntimeException {

    UnknownSettingsException(String message) {
        super(message);
    }
}
