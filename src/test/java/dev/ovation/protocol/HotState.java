package dev.ovation.protocol;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.RedisSchema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Data of a modelled Redis, in the schema of {@link RedisSchema}. */
final class HotState {

    private final Partition[] partitions;

    HotState(int count) {
        partitions = new Partition[count];
        for (int p = 0; p < count; p++) {
            partitions[p] = new Partition();
        }
    }

    int size() {
        return partitions.length;
    }

    Partition partition(int p) {
        return partitions[p];
    }

    HotState copy() {
        var copy = new HotState(size());
        for (int p = 0; p < size(); p++) {
            copy.partitions[p] = partitions[p].copy();
        }
        return copy;
    }

    /** The change that holds an idempotency key. */
    record InHand(String request, long epoch, long seq) {}

    /** A user's reactions, and the event that changed them last. */
    record Own(long seq, List<String> reactions) {
        static final Own NONE = new Own(0, List.of());

        boolean has(String reaction) {
            return reactions.contains(reaction);
        }
    }

    /** The keys of one partition; epoch 0 means that {@code meta} is missing. */
    static final class Partition {
        long epoch;
        String incarnation = "";
        long seq;
        long acked;
        final List<Redis.Entry> outbox = new ArrayList<>();
        final Map<EntityKey, Counts> counts = new HashMap<>();
        final Map<EntityKey, Users> users = new HashMap<>();
        final Map<EntityKey, String> leases = new HashMap<>();
        final Map<String, InHand> inHand = new HashMap<>();

        private Partition copy() {
            var copy = new Partition();
            copy.epoch = epoch;
            copy.incarnation = incarnation;
            copy.seq = seq;
            copy.acked = acked;
            copy.outbox.addAll(outbox);
            counts.forEach((key, value) -> copy.counts.put(key, value.copy()));
            users.forEach((key, value) -> copy.users.put(key, value.copy()));
            copy.leases.putAll(leases);
            copy.inHand.putAll(inHand);
            return copy;
        }
    }

    /** A count hash. */
    static final class Counts {
        long epoch;
        long since;
        long version;
        String op = "";
        long seq;
        long at;
        long people;
        boolean dirty;
        final Map<String, Counter> counters = new LinkedHashMap<>();

        Counts copy() {
            var copy = new Counts();
            copy.epoch = epoch;
            copy.since = since;
            copy.version = version;
            copy.op = op;
            copy.seq = seq;
            copy.at = at;
            copy.people = people;
            copy.dirty = dirty;
            copy.counters.putAll(counters);
            return copy;
        }

        List<Counter> flat() {
            return new ArrayList<>(counters.values());
        }

        /** Changes a counter by one step, and returns it. */
        Counter step(String reaction, int step, long time) {
            var before = counters.getOrDefault(reaction, new Counter(reaction, 0, 0, 0));
            long first = step > 0 && before.count() == 0 ? time : before.firstAt();
            long last = step > 0 ? time : before.lastAt();
            var after = new Counter(reaction, before.count() + step, first, last);
            if (after.count() == 0) {
                counters.remove(reaction);
            } else {
                counters.put(reaction, after);
            }
            return after;
        }
    }

    /** A user hash, of all users. */
    static final class Users {
        long epoch;
        long since;
        boolean dirty;
        final Map<String, Own> users = new TreeMap<>();

        Users copy() {
            var copy = new Users();
            copy.epoch = epoch;
            copy.since = since;
            copy.dirty = dirty;
            copy.users.putAll(users);
            return copy;
        }
    }

    /** All data, in the format of redis-cli. */
    Map<String, String> contents() {
        var all = new TreeMap<String, String>();
        for (int p = 0; p < size(); p++) {
            int number = p;
            var at = partitions[p];
            if (at.epoch > 0) {
                all.put(
                        RedisSchema.meta(p),
                        at.epoch + " " + at.incarnation + " " + at.seq + " " + at.acked);
            }
            if (!at.outbox.isEmpty()) {
                all.put(RedisSchema.outbox(p), at.outbox.toString());
            }
            at.counts.forEach(
                    (key, it) -> {
                        var hash = new TreeMap<String, String>();
                        hash.put("epoch", "" + it.epoch);
                        hash.put("since", "" + it.since);
                        hash.put("version", "" + it.version);
                        hash.put("op", it.op);
                        hash.put("seq", "" + it.seq);
                        hash.put("at", "" + it.at);
                        hash.put("people", "" + it.people);
                        it.counters.forEach((id, c) -> hash.put("r:" + id, RedisSchema.value(c)));
                        all.put(RedisSchema.counts(number, key), (it.dirty ? "dirty " : "") + hash);
                    });
            at.users.forEach(
                    (key, it) -> {
                        var hash = new TreeMap<String, String>();
                        hash.put("epoch", "" + it.epoch);
                        hash.put("since", "" + it.since);
                        hash.put("complete", "1");
                        it.users.forEach(
                                (user, own) ->
                                        hash.put(
                                                "u:" + user,
                                                own.seq()
                                                        + RedisSchema.SEPARATOR
                                                        + RedisSchema.join(own.reactions())));
                        all.put(RedisSchema.users(number, key), (it.dirty ? "dirty " : "") + hash);
                    });
            at.leases.forEach((key, token) -> all.put(RedisSchema.lease(number, key), token));
        }
        return all;
    }
}
