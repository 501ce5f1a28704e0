package dev.ovation.hot;

/** Redis cannot be used now, and nothing was sent to it. */
public class RedisUnavailableException extends RuntimeException {

    public RedisUnavailableException(String message) {
        super(message);
    }
}
