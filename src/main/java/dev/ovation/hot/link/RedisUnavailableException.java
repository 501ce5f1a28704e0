package dev.ovation.hot.link;

/** Redis is unusable now, and nothing was sent to it. */
public class RedisUnavailableException extends RuntimeException {

    public RedisUnavailableException(String message) {
        super(message);
    }
}
