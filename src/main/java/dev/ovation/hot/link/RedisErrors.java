package dev.ovation.hot.link;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Distinguishes failures that prove that a write did not happen from those that leave it open. */
public final class RedisErrors {

    /** Errors that the server answers instead of running the script, or before its first write. */
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

    /** Errors of a node of a Redis Cluster for a key whose slot it does not serve now. */
    private static final List<String> OF_A_SLOT =
            List.of("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN");

    /** Errors of Lettuce for a command that it did not send. */
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

    /**
     * Returns whether a node of a Redis Cluster refused a command because of the slot of its key.
     */
    public static boolean isOfASlot(@Nullable Throwable error) {
        return error instanceof RedisCommandExecutionException
                && OF_A_SLOT.stream().anyMatch(String.valueOf(error.getMessage())::startsWith);
    }
}
