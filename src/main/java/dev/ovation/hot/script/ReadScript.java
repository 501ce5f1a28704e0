package dev.ovation.hot.script;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code read.lua}: reads entities' counters and one user's reactions on each, at one instant. */
public final class ReadScript {

    private static final String[] NO_KEYS = {};
    private static final int FIRST = 2;
    private static final int ARGS_EACH = 8;
    private static final char PART = '\u001e';

    private final LuaScript script = new LuaScript("read", ScriptOutputType.MULTI);
    private final String lease;
    private final FilterMetrics filters;

    public ReadScript(HotSettings settings, FilterMetrics filters) {
        this.filters = filters;
        this.lease = Long.toString(settings.lease().toMillis());
    }

    /**
     * One entity to read.
     *
     * @param p its partition
     * @param viewer user whose reactions to return; null for none
     * @param token id of the caller, for a lease
     * @param stale holder of an abandoned lease, or empty
     * @param known op of the state, in this epoch, that the caller knows; or empty
     */
    public record ReadItem(
            int p,
            Fence fence,
            EntityKey key,
            @Nullable String viewer,
            String token,
            String stale,
            String known) {}

    /** The script's reply for one entity. */
    public sealed interface Reply {
        /** The server or the epoch is not the one that the caller attached to. */
        record Fenced() implements Reply {}

        /**
         * The entity is not loaded, and {@code holder} has the lease; empty when it cannot be
         * taken.
         */
        record Miss(String holder) implements Reply {}

        /**
         * The user is not loaded, and {@code holder} has the lease; empty when it cannot be taken.
         */
        record UserMiss(String holder) implements Reply {}

        /** The state is the known one; {@code own} is empty when the item has no viewer. */
        record KnownState(List<String> own) implements Reply {}

        /** The hot state; {@code own} is empty when the item has no viewer. */
        record Hit(
                long version,
                String op,
                long people,
                List<Counter> counters,
                List<String> own,
                boolean locked)
                implements Reply {
            public Hit(
                    long version,
                    String op,
                    long people,
                    List<Counter> counters,
                    List<String> own) {
                this(version, op, people, counters, own, false);
            }
        }

        /** This entity alone failed. */
        record Failed(String error) implements Reply {}
    }

    /** Sends the script; the answer has a reply for each item, in their order. */
    public CompletableFuture<List<Reply>> execute(
            RedisScriptingAsyncCommands<String, String> redis, List<ReadItem> items) {
        var args = new String[FIRST + ARGS_EACH * items.size()];
        args[0] = lease;
        args[1] = Long.toString(System.currentTimeMillis());
        int a = FIRST;
        for (ReadItem item : items) {
            args[a++] = Integer.toString(item.p);
            args[a++] = RedisSchema.name(item.key);
            args[a++] = Long.toString(item.fence.epoch());
            args[a++] = item.fence.incarnation();
            args[a++] = item.viewer == null ? "" : item.viewer;
            args[a++] = item.token;
            args[a++] = item.stale;
            args[a++] = item.known;
        }
        return script.list(redis, NO_KEYS, args)
                .thenApply(texts -> texts.stream().map(text -> reply((String) text)).toList());
    }

    private Reply reply(String text) {
        if (text.charAt(0) == '~') {
            filters.avoided();
            return found(text.substring(1));
        }
        return found(text);
    }

    private static Reply found(String text) {
        int from = text.indexOf(PART) + 1;
        String rest = text.substring(from);
        return switch (from == 0 ? text : text.substring(0, from - 1)) {
            case "FENCED" -> new Reply.Fenced();
            case "MISS" -> new Reply.Miss(rest);
            case "USER_MISS" -> new Reply.UserMiss(rest);
            case "SAME" -> new Reply.KnownState(RedisSchema.split(rest));
            case "HIT" -> hit(rest);
            case "FAILED" -> new Reply.Failed(rest);
            default -> throw new IllegalStateException("read.lua answered " + text);
        };
    }

    /** Parses a reply; a counter's value has three items, a header field's value one. */
    private static Reply hit(String parts) {
        int part = parts.indexOf(PART);
        List<String> items = RedisSchema.split(parts.substring(part + 1));
        var counters = new ArrayList<Counter>();
        long version = 0;
        String op = "";
        long people = 0;
        boolean locked = false;
        int i = 0;
        while (i < items.size()) {
            String field = items.get(i);
            if (field.startsWith(RedisSchema.COUNTER)) {
                counters.add(RedisSchema.counter(field, items.subList(i + 1, i + 4)));
                i += 4;
            } else {
                version = field.equals("version") ? Long.parseLong(items.get(i + 1)) : version;
                op = field.equals("op") ? items.get(i + 1) : op;
                people = field.equals("people") ? Long.parseLong(items.get(i + 1)) : people;
                locked |= field.equals(RedisSchema.LOCK);
                i += 2;
            }
        }
        List<String> own = RedisSchema.split(parts.substring(0, part));
        return new Reply.Hit(version, op, people, counters, own, locked);
    }
}
