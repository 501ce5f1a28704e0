package dev.ovation.hot.script;

import dev.ovation.entity.Counter;
import dev.ovation.hot.Fence;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.Proposal;
import dev.ovation.hot.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** {@code react.lua}: judges a change, appends it to the outbox and applies it to the hot state. */
public final class ReactScript {

    private final LuaScript script = new LuaScript("react", ScriptOutputType.MULTI);
    private final HotSettings settings;

    public ReactScript(HotSettings settings) {
        this.settings = settings;
    }

    /** What the script says. */
    public sealed interface Reply {
        /** A reply that rests on the state of the entity, and shares the verdict of an event. */
        sealed interface Judged extends Reply {
            /** Returns the number of that event in the outbox; 0 for none. */
            long seq();
        }

        /** Not the server or the epoch that the caller attached to; nothing changed. */
        record Fenced() implements Reply {}

        /** Newer rules are in force; nothing changed. */
        record StaleConfig() implements Reply {}

        /** The outbox has reached its cap; nothing changed. */
        record Full() implements Reply {}

        /** A request with the same idempotency key is under way; nothing changed. */
        record InFlight() implements Reply {}

        /** The entity is not loaded, and {@code holder} has the lease; nothing changed. */
        record Miss(String holder) implements Reply {}

        /** The user is not loaded, and {@code holder} has the lease; nothing changed. */
        record UserMiss(String holder) implements Reply {}

        /**
         * The entity is in a state that the proposal must not be judged on, in this one; that
         * shares the verdict of event {@code seq}.
         */
        record Other(long seq, long version, String op, List<Counter> counters, List<String> own)
                implements Judged {}

        /**
         * The rules refuse; the refusal shares the verdict of event {@code seq}.
         *
         * @param reaction the addition that is refused; empty where it is not one alone
         * @param conflicting what excludes it
         */
        record Refused(Reason reason, long seq, String reaction, List<String> conflicting)
                implements Judged {
            public Refused(Reason reason, long seq) {
                this(reason, seq, "", List.of());
            }
        }

        /**
         * The change is proposed, or nothing had to change; shares the verdict of event {@code
         * seq}, 0 resting on none.
         */
        record Accepted(
                boolean changed,
                long seq,
                long version,
                List<String> added,
                List<String> removed,
                List<Counter> counters,
                List<String> own)
                implements Judged {}
    }

    /** Why the rules refuse. */
    public enum Reason {
        EXISTS,
        UNKNOWN,
        CONFLICT,
        LIMIT
    }

    /**
     * Sends the script once.
     *
     * @param token id of the caller, for a lease
     * @param stale a holder of the lease that was waited for in vain, or empty
     */
    public CompletableFuture<Reply> execute(
            RedisScriptingAsyncCommands<String, String> redis,
            int p,
            Fence fence,
            Proposal proposal,
            String token,
            String stale) {
        var key = proposal.key();
        var rules = proposal.rules();
        var idempotency = proposal.idempotency();
        String clientKey = idempotency == null ? "" : idempotency.key();
        return script.list(
                        redis,
                        new String[] {
                            RedisSchema.meta(p),
                            RedisSchema.outbox(p),
                            RedisSchema.counts(p, key),
                            RedisSchema.users(p, key),
                            RedisSchema.lease(p, key),
                            RedisSchema.inHand(p, key.namespace(), proposal.user(), clientKey)
                        },
                        Long.toString(fence.epoch()),
                        fence.incarnation(),
                        Long.toString(rules.configVersion()),
                        Integer.toString(settings.outboxCap()),
                        proposal.op(),
                        Long.toString(proposal.now()),
                        key.namespace(),
                        key.entity(),
                        proposal.user(),
                        proposal.kind().name().toLowerCase(Locale.ROOT),
                        RedisSchema.join(proposal.reactions()),
                        rules.groups().stream()
                                .map(RedisSchema::join)
                                .collect(Collectors.joining(RedisSchema.PART)),
                        flag(proposal.force()),
                        flag(proposal.existingIsFine()),
                        Integer.toString(rules.limit()),
                        RedisSchema.SEPARATOR
                                + RedisSchema.join(rules.live())
                                + RedisSchema.SEPARATOR,
                        Integer.toString(settings.crowd()),
                        Integer.toString(settings.partialBound()),
                        token,
                        Long.toString(settings.lease().toMillis()),
                        stale,
                        clientKey,
                        idempotency == null ? "" : idempotency.requestHash(),
                        idempotency == null ? "" : idempotency.request(),
                        Long.toString(settings.inHand().toMillis()),
                        flag(proposal.withState()),
                        Long.toString(System.currentTimeMillis()),
                        proposal.basis().state(),
                        Long.toString(proposal.basis().after()))
                .thenApply(ReactScript::reply);
    }

    private static String flag(boolean value) {
        return value ? "1" : "0";
    }

    private static Reply reply(List<Object> items) {
        return switch (text(items, 0)) {
            case "FENCED" -> new Reply.Fenced();
            case "STALE_CONFIG" -> new Reply.StaleConfig();
            case "FULL" -> new Reply.Full();
            case "IN_FLIGHT" -> new Reply.InFlight();
            case "MISS" -> new Reply.Miss(text(items, 1));
            case "USER_MISS" -> new Reply.UserMiss(text(items, 1));
            case "OTHER" ->
                    new Reply.Other(
                            number(items, 1),
                            number(items, 2),
                            text(items, 3),
                            RedisSchema.counters(text(items, 4)),
                            RedisSchema.split(text(items, 5)));
            case "EXISTS" -> new Reply.Refused(Reason.EXISTS, number(items, 1));
            case "LIMIT" -> new Reply.Refused(Reason.LIMIT, number(items, 1));
            case "UNKNOWN" ->
                    new Reply.Refused(Reason.UNKNOWN, number(items, 1), text(items, 2), List.of());
            case "CONFLICT" ->
                    new Reply.Refused(
                            Reason.CONFLICT,
                            number(items, 1),
                            text(items, 3),
                            RedisSchema.split(text(items, 2)));
            case "APPLIED", "UNCHANGED" ->
                    new Reply.Accepted(
                            text(items, 0).equals("APPLIED"),
                            number(items, 1),
                            number(items, 2),
                            RedisSchema.split(text(items, 3)),
                            RedisSchema.split(text(items, 4)),
                            RedisSchema.counters(text(items, 5)),
                            RedisSchema.split(text(items, 6)));
            default -> throw new IllegalStateException("react.lua answered " + items);
        };
    }

    private static String text(List<Object> items, int index) {
        return (String) items.get(index);
    }

    private static long number(List<Object> items, int index) {
        return Long.parseLong(text(items, index));
    }
}
