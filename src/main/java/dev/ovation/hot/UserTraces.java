package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.AnonymizeScript;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What Redis holds of a user, whether Postgres has something of them there or not: also who took a
 * reaction back, or was looked up in vain, is named in the user hash of an entity, which lives as
 * long as others write to it.
 */
public final class UserTraces {

    /** Where a walk begins. */
    public static final String START = "";

    private static final int PAGE = 1000;
    private static final ScanArgs USER_HASHES = ScanArgs.Builder.matches("{*}:u:*").limit(PAGE);

    private final RedisLink link;
    private final Fences fences;
    private final ScriptTimes times;
    private final AnonymizeScript script = new AnonymizeScript();

    UserTraces(RedisLink link, Fences fences, ScriptTimes times) {
        this.link = link;
        this.fences = fences;
        this.times = times;
    }

    /**
     * A part of a walk through everything that is hot.
     *
     * @param entities those whose user hash names the user
     * @param next where the walk goes on; null at its end
     */
    public record Page(List<EntityKey> entities, @Nullable String next) {}

    /**
     * Looks at some entities. Those that are hot from the beginning of a walk to its end are looked
     * at. On another server a walk begins anew.
     *
     * @throws RedisUnavailableException when Redis does not answer
     */
    public Page page(String user, String from) {
        var redis = link.relay();
        String server = link.incarnation().orElse("") + ' ';
        ScanCursor cursor =
                from.startsWith(server)
                        ? ScanCursor.of(from.substring(server.length()))
                        : ScanCursor.INITIAL;
        KeyScanCursor<String> found = await(redis.scan(cursor, USER_HASHES));
        var fields = new LinkedHashMap<String, CompletableFuture<List<KeyValue<String, String>>>>();
        for (String key : found.getKeys()) {
            fields.put(key, redis.hmget(key, "u:" + user, "l:" + user).toCompletableFuture());
        }
        var entities = new ArrayList<EntityKey>();
        for (Map.Entry<String, CompletableFuture<List<KeyValue<String, String>>>> one :
                fields.entrySet()) {
            if (await(one.getValue()).stream().anyMatch(KeyValue::hasValue)) {
                entities.add(entity(one.getKey()));
            }
        }
        return new Page(entities, found.isFinished() ? null : server + found.getCursor());
    }

    /** The key's fourth part, which may hold more of what parts them; the others do not. */
    private static EntityKey entity(String key) {
        String[] parts = key.split(":", 4);
        return new EntityKey(parts[2], parts[3]);
    }

    /**
     * Takes the user out of the event that a partition's outbox keeps.
     *
     * @return false when that is to be tried again in a moment
     * @throws RedisUnavailableException when Redis does not answer
     */
    public boolean anonymize(int p, String user) {
        var fence = fences.of(p);
        return fence != null
                && await(times.timed("anonymize", script.execute(link.relay(), p, fence, user)))
                        == AnonymizeScript.Reply.OK;
    }

    private static <T> T await(CompletionStage<T> reply) {
        try {
            return Replies.await(reply.toCompletableFuture());
        } catch (UnansweredException e) {
            throw new RedisUnavailableException("Redis does not answer: " + e.getCause());
        }
    }
}
