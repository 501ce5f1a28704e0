package dev.ovation.testing;

import io.lettuce.core.api.sync.RedisServerCommands;

/** Calls of commands, by the statistics of a Redis. */
public final class RedisCalls {

    private RedisCalls() {}

    /**
     * Returns the number of calls since the statistics were reset.
     *
     * @param names regular expression for names of commands, in lower case
     */
    public static long count(RedisServerCommands<String, String> redis, String names) {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.matches("cmdstat_(" + names + "):.*"))
                .mapToLong(line -> Long.parseLong(line.split("[=,]")[1]))
                .sum();
    }
}
