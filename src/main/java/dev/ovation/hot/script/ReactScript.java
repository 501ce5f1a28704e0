package dev.ovation.hot.script;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.FilterMetrics.FilterResult;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.Proposal.Basis;
import dev.ovation.hot.state.Proposal.RuleData;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code react.lua}: judges changes, appends them to the outbox and applies them to the hot state.
 */
public final class ReactScript {

    private static final String[] NO_KEYS = {};
    private static final char PART = RedisSchema.PART.charAt(0);
    private static final char END = RedisSchema.END;

    /** Usual length of a change in characters. */
    private static final int USUAL = 200;

    /** Greatest number of parts of an answer; the last one is an event, which has its own parts. */
    private static final int PARTS = 8;

    private final LuaScript script = new LuaScript(ScriptOutputType.MULTI, "constraints", "react");
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
         * @param constraint number of the namespace's constraint that refuses, from 1; 0 for none
         */
        record Refused(
                Reason reason, long seq, String reaction, List<String> conflicting, int constraint)
                implements Judged {
            public Refused(Reason reason, long seq) {
                this(reason, seq, "", List.of());
            }

            public Refused(Reason reason, long seq, String reaction, List<String> conflicting) {
                this(reason, seq, reaction, conflicting, 0);
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
        LOCKED,
        CLOSED,
        CONSTRAINT
    }

    /**
     * Sends the script once. The list has one answer for each change, in their order; the first is
     * never {@code Later}.
     */
    public CompletableFuture<List<ReactReply>> execute(
            RedisScriptingAsyncCommands<String, String> redis, List<ReactItem> items) {
        var fences = new LinkedHashMap<PartitionFence, Integer>();
        var rules = new LinkedHashMap<RuleData, Integer>();
        var changes = new StringBuilder(USUAL * items.size());
        for (ReactItem item : items) {
            part(changes, number(fences, new PartitionFence(item.p, item.fence)));
            part(changes, number(rules, item.proposal.rules().withoutSeasons()));
            add(changes, item);
        }
        var fenceTexts = new StringBuilder();
        fences.keySet().forEach(fence -> add(fenceTexts, fence));
        var ruleTexts = new StringBuilder();
        var programs = new LinkedHashMap<String, Integer>();
        rules.keySet().forEach(rule -> add(ruleTexts, rule, programs));
        return script.list(
                        redis,
                        NO_KEYS,
                        arguments(
                                programs.keySet(),
                                Integer.toString(settings.outboxCap()),
                                Integer.toString(settings.completeLimit()),
                                Integer.toString(settings.partialLimit()),
                                Long.toString(settings.lease().toMillis()),
                                Long.toString(settings.inFlightTtl().toMillis()),
                                Long.toString(System.currentTimeMillis()),
                                fenceTexts.toString(),
                                ruleTexts.toString(),
                                changes.toString()))
                .thenApply(texts -> answers(texts, items.size()));
    }

    private static String[] arguments(Collection<String> programs, String... first) {
        return programs.isEmpty()
                ? first
                : Stream.concat(Stream.of(first), programs.stream()).toArray(String[]::new);
    }

    /** A fence, and the partition that it is of. */
    private record PartitionFence(int p, Fence fence) {}

    /** Returns the number of a key, from 1; a new key gets the next number. */
    private static <K> long number(Map<K, Integer> numbers, K key) {
        Integer known = numbers.putIfAbsent(key, numbers.size() + 1);
        return known == null ? numbers.size() : known;
    }

    private static StringBuilder part(StringBuilder text, String part) {
        return text.append(part).append(PART);
    }

    private static StringBuilder part(StringBuilder text, long part) {
        return text.append(part).append(PART);
    }

    private static void add(StringBuilder text, PartitionFence fence) {
        part(text, fence.p);
        part(text, fence.fence.epoch()).append(fence.fence.incarnation()).append(END);
    }

    private static void add(StringBuilder text, RuleData rules, Map<String, Integer> programs) {
        List<String> live = rules.live();
        part(text, rules.configVersion());
        part(text, rules.limit());
        part(text, rules.limitOfUser());
        part(text, flags(rules, programs));
        part(
                text,
                live.isEmpty()
                        ? ""
                        : RedisSchema.SEPARATOR + RedisSchema.join(live) + RedisSchema.SEPARATOR);
        text.append(
                        rules.groups().stream()
                                .map(RedisSchema::join)
                                .collect(Collectors.joining(RedisSchema.PART)))
                .append(END);
    }

    private static String joined(Map<String, Long> seasonEnds) {
        return seasonEnds.entrySet().stream()
                .map(end -> end.getKey() + RedisSchema.SEPARATOR + end.getValue())
                .collect(Collectors.joining(RedisSchema.SEPARATOR));
    }

    private static String flags(RuleData rules, Map<String, Integer> programs) {
        String open = rules.open() ? "o" : "";
        return rules.constraints().isEmpty()
                ? open
                : open + (rules.timesOfUsers() ? "t" : "") + number(programs, rules.constraints());
    }

    private static void add(StringBuilder text, ReactItem item) {
        var proposal = item.proposal;
        var key = proposal.key();
        part(text, proposal.op());
        part(text, proposal.now());
        part(text, key.namespace());
        part(text, key.entity());
        part(text, proposal.user());
        part(text, kind(proposal.kind()));
        part(text, RedisSchema.join(proposal.reactions()));
        part(text, flags(proposal));
        part(text, item.token);
        var idempotency = proposal.idempotency();
        var basis = proposal.basis();
        var seasonEnds = proposal.rules().seasonEnds();
        boolean isTraced = !proposal.trace().isEmpty();
        boolean isLonger = isTraced || !proposal.attributes().isEmpty() || !seasonEnds.isEmpty();
        if (idempotency != null || !item.stale.isEmpty() || !basis.equals(Basis.ANY) || isLonger) {
            part(text, item.stale);
            part(text, idempotency == null ? "" : idempotency.key());
            part(text, idempotency == null ? "" : idempotency.requestHash());
            part(text, idempotency == null ? "" : idempotency.request());
            part(text, basis.state()).append(basis.after());
            if (isLonger) {
                text.append(PART).append(proposal.attributes());
                text.append(PART).append(joined(seasonEnds));
            }
            if (isTraced) {
                text.append(PART).append(proposal.trace());
            }
        }
        text.append(END);
    }

    private List<ReactReply> answers(List<Object> texts, int expected) {
        if (texts.size() != expected) {
            throw new IllegalStateException(
                    "react.lua answered " + texts.size() + " of " + expected + " changes");
        }
        return texts.stream().map(text -> answer((String) text)).toList();
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
                + (proposal.basis().committed() ? "c" : "");
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
            case "CONSTRAINT" ->
                    new Reply.Refused(
                            Reason.CONSTRAINT,
                            number(items[1]),
                            "",
                            List.of(),
                            Integer.parseInt(items[2]));
            case "LOCKED" -> new Reply.Refused(Reason.LOCKED, number(items[1]));
            case "CLOSED" ->
                    new Reply.Refused(Reason.CLOSED, number(items[1]), items[2], List.of());
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
