package dev.ovation.hot;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.script.AnonymizeScript;
import dev.ovation.hot.script.ScriptTimes;
import dev.ovation.hot.state.Fences;

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
 * Data of a user in Redis, also where Postgres has none: the user hash of an entity also names
 * users who removed a reaction, or were looked up without a result. That hash lives as long as
 * other users write to it.
 */
public final class HotUserData {

    /** Start of a walk. */
    public static final String START = "";

    private static final int PAGE = 1000;
    private static final ScanArgs USER_HASHES = ScanArgs.Builder.matches("{*}:u:*").limit(PAGE);

    private final RedisLink link;
    private final Fences fences;
    private final ScriptTimes times;
    private final AnonymizeScript script = new AnonymizeScript();

    HotUserData(RedisLink link, Fences fences, ScriptTimes times) {
        this.link = link;
        this.fences = fences;
        this.times = times;
    }

    /**
     * A part of a walk through all hot entities.
     *
     * @param entities the entities whose user hash names the user
     * @param next where the walk continues; null at its end
     */
    public record HotUserDataPage(List<EntityKey> entities, @Nullable String next) {}

    /**
     * Searches some entities. A walk covers all entities that are hot from its beginning to its
     * end. On another server a walk starts anew.
     *
     * @throws RedisUnavailableException when Redis does not answer
     */
    public HotUserDataPage page(String user, String from) {
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
        return new HotUserDataPage(
                entities, found.isFinished() ? null : server + found.getCursor());
    }

    /** Reads the entity from the fourth part of a key; only this part may contain the separator. */
    private static EntityKey entity(String key) {
        String[] parts = key.split(":", 4);
        return new EntityKey(parts[2], parts[3]);
    }

    /**
     * Removes the user from the event that a partition's outbox keeps.
     *
     * @return false when the caller must try again in a moment
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
