package dev.ovation.bench;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * Loads entities into Redis and measures their memory: {@code <redis uri> <port> <namespace>
 * <prefix> <entities>} reads {@code <prefix>1 … <prefix><entities>} as {@code user-1} through the
 * service. Prints the increase of {@code used_memory} per entity, and the {@code MEMORY USAGE} of
 * its two keys, in bytes.
 */
final class RedisMemory {

    private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");
    private static final Partitions PARTITIONS = new Partitions(16); // as by default
    private static final int WEIGHED = 200;

    private RedisMemory() {}

    public static void main(String... arguments) throws IOException {
        int entities = Integer.parseInt(arguments[4]);
        try (var client = RedisClient.create(arguments[0]);
                var connection = client.connect()) {
            RedisCommands<String, String> redis = connection.sync();
            long before = used(redis);
            read(Integer.parseInt(arguments[1]), arguments[2], arguments[3], entities);
            print("used_memory", (double) (used(redis) - before) / entities);
            print("counts_key", mean(redis, RedisSchema::counts, arguments[2], arguments[3]));
            print("users_key", mean(redis, RedisSchema::users, arguments[2], arguments[3]));
        }
    }

    private static void print(String measure, double bytes) {
        IO.println(measure + "_bytes\t" + bytes);
    }

    private static long used(RedisCommands<String, String> redis) {
        var used = USED.matcher(redis.info("memory"));
        if (!used.find()) {
            throw new IllegalStateException("INFO memory lacks used_memory");
        }
        return Long.parseLong(used.group(1));
    }

    private static void read(int port, String namespace, String prefix, int entities)
            throws IOException {
        try (var connection = new KeptConnection(port)) {
            for (int i = 1; i <= entities; i++) {
                var request =
                        "GET /reactions?namespace_id=%s&entity_id=%s%d&user_id=user-1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .formatted(namespace, prefix, i);
                if (connection.exchange(request.getBytes(StandardCharsets.UTF_8)) != 200) {
                    throw new IllegalStateException("not answered: " + request);
                }
            }
        }
    }

    /** The mean of the first entities. */
    private static double mean(
            RedisCommands<String, String> redis,
            BiFunction<Integer, EntityKey, String> name,
            String namespace,
            String prefix) {
        long bytes = 0;
        for (int i = 1; i <= WEIGHED; i++) {
            var key = new EntityKey(namespace, prefix + i);
            bytes += redis.memoryUsage(name.apply(PARTITIONS.of(key), key));
        }
        return (double) bytes / WEIGHED;
    }
}
