package dev.ovation.hot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.script.AnonymizeScript;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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

    private final RedisServers servers;
    private final Fences fences;
    private final ScriptTimes times;
    private final AnonymizeScript script = new AnonymizeScript();

    HotUserData(RedisServers servers, Fences fences, ScriptTimes times) {
        this.servers = servers;
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
     * end, server after server. When any partition is on another server, the walk starts anew.
     *
     * @throws RedisUnavailableException when Redis does not answer
     */
    public HotUserDataPage page(String user, String from) {
        var links = new LinkedHashSet<RedisLink>();
        String layout = layout(links);
        var place = WalkPlace.read(from, layout);
        var link = List.copyOf(links).get(place.server());
        var redis = link.relay();
        KeyScanCursor<String> found = await(redis.scan(place.cursor(), USER_HASHES));
        var fields = new LinkedHashMap<String, CompletableFuture<List<KeyValue<String, String>>>>();
        for (String key : found.getKeys()) {
            if (servers.holds(link, RedisSchema.partition(key))) {
                fields.put(key, redis.hmget(key, "u:" + user, "l:" + user).toCompletableFuture());
            }
        }
        var entities = new ArrayList<EntityKey>();
        for (Map.Entry<String, CompletableFuture<List<KeyValue<String, String>>>> one :
                fields.entrySet()) {
            if (await(one.getValue()).stream().anyMatch(KeyValue::hasValue)) {
                entities.add(entity(one.getKey()));
            }
        }
        return new HotUserDataPage(entities, place.next(layout, found, links.size()));
    }

    /**
     * Where a walk is.
     *
     * @param server number of the server, in the order of the first partition of each
     */
    private record WalkPlace(int server, ScanCursor cursor) {

        static WalkPlace read(String text, String layout) {
            String[] parts = text.split(" ", 3);
            return parts.length == 3 && parts[0].equals(layout)
                    ? new WalkPlace(Integer.parseInt(parts[1]), ScanCursor.of(parts[2]))
                    : new WalkPlace(0, ScanCursor.INITIAL);
        }

        @Nullable String next(String layout, ScanCursor found, int servers) {
            if (!found.isFinished()) {
                return layout + ' ' + server + ' ' + found.getCursor();
            }
            return server + 1 == servers
                    ? null
                    : layout + ' ' + (server + 1) + ' ' + ScanCursor.INITIAL.getCursor();
        }
    }

    /**
     * Returns a name of the servers and of what each holds, and the servers.
     *
     * @throws RedisUnavailableException when one of them cannot be reached
     */
    private String layout(Collection<RedisLink> links) {
        var text = new StringBuilder();
        for (int p = 0; p < fences.partitions().count(); p++) {
            var link = servers.of(p);
            var _ = link.relay();
            links.add(link);
            text.append(link.incarnation().orElse("")).append(' ');
        }
        return UUID.nameUUIDFromBytes(text.toString().getBytes(UTF_8)).toString();
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
                && await(
                                times.timed(
                                        "anonymize",
                                        script.execute(servers.of(p).relay(), p, fence, user)))
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
