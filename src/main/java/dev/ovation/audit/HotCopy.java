package dev.ovation.audit;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.InspectScript;
import dev.ovation.hot.script.InspectScript.Reply.InspectedState;
import dev.ovation.hot.state.RedisSchema;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The data of one entity in Redis, parsed leniently: a malformed value must not end the audit. */
record HotCopy(long epoch, InspectedState seen) {

    private static final String REACTION = "r:";
    private static final String USER = "u:";

    /**
     * Returns whether the count hash exists in this epoch; readers ignore a hash of another epoch.
     */
    boolean hasCounts() {
        return isOfThisEpoch(seen.counts());
    }

    boolean hasUsers() {
        return isOfThisEpoch(seen.users());
    }

    private boolean isOfThisEpoch(Map<String, String> hash) {
        return Long.toString(epoch).equals(hash.get("epoch"));
    }

    boolean isWithoutTtl() {
        return (hasCounts() && seen.countsTtl() == InspectScript.NO_TTL)
                || (hasUsers() && seen.usersTtl() == InspectScript.NO_TTL);
    }

    boolean hasTtl() {
        return (hasCounts() && seen.countsTtl() >= 0) || (hasUsers() && seen.usersTtl() >= 0);
    }

    /** Returns whether a change of the entity waits for its commit, as far as Redis knows. */
    boolean isAhead() {
        return seq() > seen.acked();
    }

    /**
     * Returns whether the outbox has the last change of the entity; only a count hash shows that.
     */
    boolean isWaiting() {
        return !hasCounts() || seen.waiting().equals(op());
    }

    long version() {
        return hasCounts() ? number(seen.counts().get("version")) : 0;
    }

    String op() {
        return seen.counts().getOrDefault("op", "");
    }

    long at() {
        return number(seen.counts().get("at"));
    }

    /** Returns the number of users with a reaction; -1 when the field is missing or malformed. */
    long people() {
        return number(seen.counts().get("people"));
    }

    boolean isComplete() {
        return "1".equals(seen.users().get("complete"));
    }

    private long seq() {
        long seq = hasCounts() ? number(seen.counts().get("seq")) : 0;
        if (hasUsers()) {
            for (var field : seen.users().entrySet()) {
                if (field.getKey().startsWith(USER)) {
                    seq =
                            Math.max(
                                    seq,
                                    number(
                                            RedisSchema.key(
                                                    field.getValue()
                                                            .split(RedisSchema.SEPARATOR, 2)[0])));
                }
            }
        }
        return seq;
    }

    /** The counters by reaction; a counter that cannot be parsed has count -1. */
    Map<String, Counter> counters() {
        var counters = new TreeMap<String, Counter>();
        if (hasCounts()) {
            seen.counts()
                    .forEach(
                            (field, value) -> {
                                if (field.startsWith(REACTION)) {
                                    var counter = counter(field.substring(2), value);
                                    counters.put(counter.reaction(), counter);
                                }
                            });
        }
        return counters;
    }

    private static Counter counter(String reaction, String value) {
        String[] parts = value.split(RedisSchema.SEPARATOR, -1);
        return parts.length == 3
                ? new Counter(reaction, number(parts[0]), number(parts[1]), number(parts[2]))
                : new Counter(reaction, -1, -1, -1);
    }

    /** The users that are loaded, with their reactions. */
    Map<String, Set<String>> users() {
        var users = new TreeMap<String, Set<String>>();
        if (hasUsers()) {
            seen.users()
                    .forEach(
                            (field, value) -> {
                                if (field.startsWith(USER)) {
                                    users.put(field.substring(2), reactions(value));
                                }
                            });
        }
        return users;
    }

    /** Returns the reactions of a user, which follow the seq of the last change. */
    private static Set<String> reactions(String value) {
        String[] parts = value.split(RedisSchema.SEPARATOR, -1);
        var reactions = new HashSet<String>();
        for (String item : Arrays.asList(parts).subList(1, parts.length)) {
            reactions.add(RedisSchema.key(item));
        }
        reactions.remove("");
        return reactions;
    }

    private static long number(@Nullable String text) {
        return text != null && text.matches("\\d{1,16}") ? Long.parseLong(text) : -1;
    }
}
