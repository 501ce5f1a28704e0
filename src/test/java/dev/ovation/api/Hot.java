package dev.ovation.api;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import java.util.Map;

/** Access to Redis, past the service. */
final class Hot {

    private static final String AHEAD = "1000000";
    private static final long NO_TIME_TO_LIVE = -1;

    private Hot() {}

    /** Removes an entity when it is clean, like Redis when memory is short. */
    static void evict(String namespace, String entity) {
        String[] keys = cleanKeys(namespace, entity);
        TwoInstances.redis().unlink(keys);
    }

    /**
     * Gives an entity, when it is clean, the op of a later change. A repeated acknowledgement
     * removes a state of another past unless that state is ahead.
     */
    static void pretend(String namespace, String entity, String op) {
        String[] keys = cleanKeys(namespace, entity);
        TwoInstances.redis().hset(keys[0], Map.of("op", op, "seq", AHEAD));
    }

    /** The keys of its counts and of its users, after the last change is committed. */
    private static String[] cleanKeys(String namespace, String entity) {
        var key = new EntityKey(namespace, entity);
        int p = new Partitions(ApiFixture.PARTITIONS).of(key);
        String counts = RedisSchema.counts(p, key);
        String users = RedisSchema.users(p, key);
        Wait.until("the entity is clean", () -> isClean(counts) && isClean(users));
        return new String[] {counts, users};
    }

    /** True of a key with a time to live, and of one that Redis does not hold. */
    private static boolean isClean(String key) {
        return TwoInstances.redis().pttl(key) != NO_TIME_TO_LIVE;
    }
}
