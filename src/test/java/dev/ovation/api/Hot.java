package dev.ovation.api;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.RedisSchema;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

/** What Redis has, past the service. */
final class Hot {

    private Hot() {}

    /** Removes an entity as Redis does when memory is short: once it is clean. */
    static void evict(String namespace, String entity) {
        var key = new EntityKey(namespace, entity);
        int p = new Partitions(ApiFixture.PARTITIONS).of(key);
        String counts = RedisSchema.counts(p, key);
        String users = RedisSchema.users(p, key);
        Wait.until("the entity is clean", () -> isClean(counts) && isClean(users));
        TwoInstances.redis().unlink(counts, users);
    }

    private static boolean isClean(String key) {
        return TwoInstances.redis().pttl(key) > 0;
    }
}
