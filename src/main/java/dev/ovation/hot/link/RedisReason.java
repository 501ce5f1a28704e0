package dev.ovation.hot.link;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Why Redis is unusable, as one sentence for operators: the error, and the setting to change. */
public final class RedisReason {

    /** Errors of a server for a wrong password, a missing one, or one that it does not expect. */
    private static final List<String> CREDENTIALS =
            List.of("WRONGPASS", "NOAUTH", "ERR AUTH", "ERR invalid password", "ERR Client sent");

    private static final String NO_PERMISSION = "NOPERM";
    private static final String CLUSTER_DOWN = "CLUSTERDOWN";

    private RedisReason() {}

    /** Returns the messages of the failure and of its first cause, without a stack trace. */
    public static String of(Throwable failure) {
        Throwable outer = failure;
        while (isWrapper(outer) && outer.getCause() != null) {
            outer = outer.getCause();
        }
        Throwable first = outer;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String said = text(first);
        String whole = text(outer);
        return (whole.contains(said) ? whole : whole + ": " + said) + advice(said);
    }

    private static boolean isWrapper(@Nullable Throwable failure) {
        return failure instanceof ExecutionException || failure instanceof CompletionException;
    }

    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static String advice(String said) {
        if (CREDENTIALS.stream().anyMatch(said::startsWith)) {
            return "; set spring.data.redis.username and spring.data.redis.password, or with"
                    + " spring.data.redis.url both within it";
        }
        if (said.startsWith(NO_PERMISSION)) {
            return "; docker/production/redis.acl lists the rights that the service needs";
        }
        if (said.startsWith(CLUSTER_DOWN)) {
            return "; with cluster-require-full-coverage no, a lost node stops its own slots alone";
        }
        return "";
    }
}
