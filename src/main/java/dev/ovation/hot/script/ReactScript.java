package dev.ovation.hot.script;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.FilterMetrics.FilterResult;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * {@code react.lua}: judges changes, appends them to the outbox and applies them to the hot state.
 */
public final class ReactScript {

    private static final int KEYS_EACH = 7;
    private static final int ARGS_ONCE = 7;
    private static final int ARGS_EACH = 22;

    /** Greatest number of parts of an answer; the last one is an event, which has its own parts. */
    private static final int PARTS = 8;

    private final LuaScript script = new LuaScript("react", ScriptOutputType.MULTI);
    private final HotSettings settings;
    private final FilterMetrics filters;

    public ReactScript(HotSettings settings, FilterMetrics filters) {
        this.settings = settings;
        this.filters = filters;
    }

    /**
     * One change to judge.
     *
     * @param p its partition
     * @param token id of the caller, for a lease
     * @param stale holder of an abandoned lease, or empty
     */
    public record ReactItem(int p, Fence fence, Proposal proposal, String token, String stale) {}

    /** A run's answer to one change. */
    public sealed interface ReactReply {}

    /** The run reached its limit with earlier changes; nothing changed. */
    public record Later() implements ReactReply {}

    /** This change alone failed; the error is one of the server's or of Lua. */
    public record ReactFailure(String error) implements ReactReply {}

    /** The script's reply to a change that it judged. */
    public sealed interface Reply extends ReactReply {
        /** A reply that depends on the state of the entity, and shares the verdict of an event. */
        sealed interface Judged extends Reply {
            /** Returns the number of that event in the outbox; 0 for none. */
            long seq();
        }

        /** The server or the epoch is not the one that the caller attached to; nothing changed. */
        record Fenced() implements Reply {}

        /** Newer rules are in force; nothing changed. */
        record StaleConfig() implements Reply {}

        /** The outbox has reached its cap; nothing changed. */
        record Full() implements Reply {}

        /** A request with the same idempotency key is in flight; nothing changed. */
        record InFlight() implements Reply {}

        /** The entity is not loaded, and {@code holder} has the lease; nothing changed. */
        record Miss(String holder) implements Reply {}

        /** The user is not loaded, and {@code holder} has the lease; nothing changed. */
        record UserMiss(String holder) implements Reply {}

        /**
         * The proposal must not be judged on the present state of the entity, which this reply
         * holds. The state shares the verdict of event {@code seq}.
         */
        record Other(
                long seq,
                long version,
                String op,
                List<Counter> counters,
                List<String> own,
                boolean locked)
                implements Judged {
            public Other(
                    long seq, long version, String op, List<Counter> counters, List<String> own) {
                this(seq, version, op, counters, own, false);
            }
        }

        /**
         * The rules refuse the change; the refusal shares the verdict of event {@code seq}.
         *
         * @param reaction the addition that is refused; empty when the cause is not one reaction
         *     alone
         * @param conflicting the reactions that exclude it
         */
        record Refused(Reason reason, long seq, String reaction, List<String> conflicting)
                implements Judged {
            public Refused(Reason reason, long seq) {
                this(reason, seq, "", List.of());
            }
        }

        /**
         * The change is proposed, or nothing had to change. The reply shares the verdict of event
         * {@code seq}; 0 means no event.
         *
         * @param event the event as it is in the outbox; empty when none was appended
         * @param locked whether the entity is locked
         */
        record Accepted(
                boolean changed,
                long seq,
                long version,
                List<String> added,
                List<String> removed,
                List<Counter> counters,
                List<String> own,
                String event,
                boolean locked)
                implements Judged {
            public Accepted(
                    boolean changed,
                    long seq,
                    long version,
                    List<String> added,
                    List<String> removed,
                    List<Counter> counters,
                    List<String> own,
                    String event) {
                this(changed, seq, version, added, removed, counters, own, event, false);
            }
        }
    }

    /** Why the rules refuse. */
    public enum Reason {
        EXISTS,
        UNKNOWN,
        CONFLICT,
        LIMIT,
        TOO_MANY,
        LOCKED
    }

    /**
     * Sends the script once. The list has one answer for each change, in their order; the first is
     * never {@code Later}.
     */
    public CompletableFuture<List<ReactReply>> execute(
            RedisScriptingAsyncCommands<String, String> redis, List<ReactItem> items) {
        var sets = new IdentityHashMap<List<String>, Integer>();
        var joined = new ArrayList<String>();
        for (ReactItem item : items) {
            List<String> live = item.proposal.rules().live();
            if (!live.isEmpty() && sets.putIfAbsent(live, sets.size() + 1) == null) {
                joined.add(RedisSchema.SEPARATOR + RedisSchema.join(live) + RedisSchema.SEPARATOR);
            }
        }
        var keys = new ArrayList<String>(KEYS_EACH * items.size());
        var args = new ArrayList<String>(ARGS_ONCE + joined.size() + ARGS_EACH * items.size());
        args.add(Integer.toString(settings.outboxCap()));
        args.add(Integer.toString(settings.completeLimit()));
        args.add(Integer.toString(settings.partialLimit()));
        args.add(Long.toString(settings.lease().toMillis()));
        args.add(Long.toString(settings.inFlightTtl().toMillis()));
        args.add(Long.toString(System.currentTimeMillis()));
        args.add(Integer.toString(joined.size()));
        args.addAll(joined);
        for (ReactItem item : items) {
            add(item, sets.getOrDefault(item.proposal.rules().live(), 0), keys, args);
        }
        return script.list(redis, keys.toArray(String[]::new), args.toArray(String[]::new))
                .thenApply(texts -> texts.stream().map(text -> answer((String) text)).toList());
    }

    private static void add(ReactItem item, int set, List<String> keys, List<String> args) {
        int p = item.p;
        var proposal = item.proposal;
        var key = proposal.key();
        var rules = proposal.rules();
        var idempotency = proposal.idempotency();
        String clientKey = idempotency == null ? "" : idempotency.key();
        keys.add(RedisSchema.meta(p));
        keys.add(RedisSchema.outbox(p));
        keys.add(RedisSchema.counts(p, key));
        keys.add(RedisSchema.users(p, key));
        keys.add(RedisSchema.lease(p, key));
        keys.add(RedisSchema.filter(p, key));
        keys.add(RedisSchema.inHand(p, key.namespace(), proposal.user(), clientKey));
        args.add(Long.toString(item.fence.epoch()));
        args.add(item.fence.incarnation());
        args.add(Long.toString(rules.configVersion()));
        args.add(proposal.op());
        args.add(Long.toString(proposal.now()));
        args.add(key.namespace());
        args.add(key.entity());
        args.add(proposal.user());
        args.add(kind(proposal.kind()));
        args.add(RedisSchema.join(proposal.reactions()));
        args.add(
                rules.groups().stream()
                        .map(RedisSchema::join)
                        .collect(Collectors.joining(RedisSchema.PART)));
        args.add(flags(proposal));
        args.add(Integer.toString(rules.limit()));
        args.add(Integer.toString(rules.limitOfUser()));
        args.add(Integer.toString(set));
        args.add(item.token);
        args.add(item.stale);
        args.add(clientKey);
        args.add(idempotency == null ? "" : idempotency.requestHash());
        args.add(idempotency == null ? "" : idempotency.request());
        args.add(proposal.basis().state());
        args.add(Long.toString(proposal.basis().after()));
    }

    private static String kind(ChangeKind kind) {
        return switch (kind) {
            case ADD -> "add";
            case REMOVE -> "remove";
            case PUT -> "put";
        };
    }

    private static String flags(Proposal proposal) {
        return (proposal.force() ? "f" : "")
                + (proposal.existingIsFine() ? "e" : "")
                + (proposal.withState() ? "s" : "")
                + (proposal.basis().committed() ? "c" : "")
                + (proposal.rules().open() ? "o" : "");
    }

    private ReactReply answer(String text) {
        boolean locked = false;
        int from = 0;
        while (true) {
            switch (text.charAt(from++)) {
                case '!' -> locked = true;
                case '~' -> filters.avoided();
                case '+' -> filters.result(FilterResult.GROWN);
                default -> {
                    return judged(text.substring(from - 1), locked);
                }
            }
        }
    }

    private static ReactReply judged(String text, boolean locked) {
        String[] items = text.split(RedisSchema.PART, PARTS);
        return switch (items[0]) {
            case "FENCED" -> new Reply.Fenced();
            case "STALE_CONFIG" -> new Reply.StaleConfig();
            case "FULL" -> new Reply.Full();
            case "IN_FLIGHT" -> new Reply.InFlight();
            case "MISS" -> new Reply.Miss(items[1]);
            case "USER_MISS" -> new Reply.UserMiss(items[1]);
            case "OTHER" ->
                    new Reply.Other(
                            number(items[1]),
                            number(items[2]),
                            items[3],
                            RedisSchema.counters(items[4]),
                            RedisSchema.split(items[5]),
                            locked);
            case "EXISTS" -> new Reply.Refused(Reason.EXISTS, number(items[1]));
            case "LIMIT" -> new Reply.Refused(Reason.LIMIT, number(items[1]));
            case "TOO_MANY" -> new Reply.Refused(Reason.TOO_MANY, number(items[1]));
            case "LOCKED" -> new Reply.Refused(Reason.LOCKED, number(items[1]));
            case "UNKNOWN" ->
                    new Reply.Refused(Reason.UNKNOWN, number(items[1]), items[2], List.of());
            case "CONFLICT" ->
                    new Reply.Refused(
                            Reason.CONFLICT,
                            number(items[1]),
                            items[3],
                            RedisSchema.split(items[2]));
            case "APPLIED", "UNCHANGED" ->
                    new Reply.Accepted(
                            items[0].equals("APPLIED"),
                            number(items[1]),
                            number(items[2]),
                            RedisSchema.split(items[3]),
                            RedisSchema.split(items[4]),
                            RedisSchema.counters(items[5]),
                            RedisSchema.split(items[6]),
                            items.length < PARTS ? "" : items[PARTS - 1],
                            locked);
            case "LATER" -> new Later();
            case "FAILED" -> new ReactFailure(items[1].strip());
            default -> throw new IllegalStateException("react.lua answered " + text);
        };
    }

    private static long number(String item) {
        return Long.parseLong(item);
    }
}
