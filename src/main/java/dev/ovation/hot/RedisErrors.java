package dev.ovation.hot;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;

import java.util.List;

/** Tells failures after which a write certainly did not happen from those that leave it open. */
public final class RedisErrors {

    /** Answers of the server that come instead of running the script, or before its first write. */
    private static final List<String> REFUSALS =
            List.of(
                    "NOSCRIPT",
                    "BUSY",
                    "LOADING",
                    "OOM",
                    "READONLY",
                    "MOVED",
                    "ASK",
                    "TRYAGAIN",
                    "CLUSTERDOWN",
                    "MISCONF",
                    "NOREPLICAS",
                    "NOAUTH",
                    "NOPERM");

    /** What Lettuce says when it does not even send. */
    private static final List<String> NOT_SENT =
            List.of("Currently not connected", "Request queue size exceeded");

    private RedisErrors() {}

    /** Returns whether this failure proves that the script changed nothing. */
    public static boolean provesNothingChanged(Throwable error) {
        if (error instanceof RedisUnavailableException) {
            return true;
        }
        String message = String.valueOf(error.getMessage());
        if (error instanceof RedisCommandExecutionException) {
            return REFUSALS.stream().anyMatch(message::startsWith) || message.contains("-OOM ");
        }
        return error instanceof RedisException && NOT_SENT.stream().anyMatch(message::startsWith);
    }
}
