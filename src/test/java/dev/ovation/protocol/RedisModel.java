package dev.ovation.protocol;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.script.InstallScript;
import dev.ovation.hot.script.OpenScript;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.protocol.HotState.Counts;
import dev.ovation.protocol.HotState.InHand;
import dev.ovation.protocol.HotState.Own;
import dev.ovation.protocol.HotState.Partition;
import dev.ovation.protocol.HotState.Users;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The scripts as a model, each with the terms of its {@code .lua}; no entity here is
 * high-cardinality.
 */
final class RedisModel implements Redis {

    private final Predicate<Rule> keeps;
    private HotState state;
    private String incarnation;
    private boolean full;

    RedisModel(int partitions, String incarnation, Predicate<Rule> keeps) {
        this.state = new HotState(partitions);
        this.incarnation = incarnation;
        this.keeps = keeps;
    }

    HotState state() {
        return state;
    }

    boolean isFull() {
        return full;
    }

    private boolean fenceHolds(Partition at, Fence fence) {
        boolean epoch =
                at.epoch == fence.epoch() || !keeps.test(Rule.FENCE_BY_EPOCH) && at.epoch > 0;
        boolean server =
                at.incarnation.equals(fence.incarnation())
                        && incarnation.equals(fence.incarnation());
        return epoch && (server || !keeps.test(Rule.FENCE_BY_INCARNATION) && at.epoch > 0);
    }

    private String takeLease(Partition at, EntityKey key, String token, String stale) {
        String holder = at.leases.get(key);
        if (holder != null && !holder.equals(stale)) {
            return holder;
        }
        if (full) {
            return "";
        }
        at.leases.put(key, token);
        return token;
    }

    @Override
    public ReactScript.Reply react(
            int p, Fence fence, Proposal proposal, String token, String stale) {
        var at = state.partition(p);
        var key = proposal.key();
        var user = proposal.user();
        var reaction = proposal.reactions().getFirst(); // the model has no put
        if (!fenceHolds(at, fence)) {
            return new ReactScript.Reply.Fenced();
        }
        var idempotency = proposal.idempotency();
        String inHand = idempotency == null ? "" : user + " " + idempotency.key();
        var owner = at.inHand.get(inHand);
        if (owner != null
                && !owner.request().equals(idempotency.request())
                && owner.epoch() == fence.epoch()
                && owner.seq() > at.acked) {
            return new ReactScript.Reply.InFlight();
        }
        var counts = at.counts.get(key);
        var users = at.users.get(key);
        if (counts == null
                || users == null
                || counts.epoch != at.epoch
                || users.epoch != at.epoch) {
            return new ReactScript.Reply.Miss(takeLease(at, key, token, stale));
        }

        Own mine = users.users.getOrDefault(user, Own.NONE);
        long restsOn = keeps.test(Rule.NO_OP_WAITS) ? mine.seq() : 0;
        var added = new ArrayList<String>();
        var removed = new ArrayList<String>();
        if (proposal.kind() == ChangeKind.REMOVE) {
            if (mine.has(reaction)) {
                removed.add(reaction);
            }
        } else if (mine.has(reaction)) {
            if (!proposal.existingIsFine()) {
                return new ReactScript.Reply.Refused(ReactScript.Reason.EXISTS, restsOn);
            }
        } else {
            var conflicting =
                    proposal.rules().groups().stream()
                            .filter(group -> group.contains(reaction))
                            .flatMap(List::stream)
                            .filter(mine::has)
                            .distinct()
                            .toList();
            if (!conflicting.isEmpty() && !proposal.force()) {
                return new ReactScript.Reply.Refused(
                        ReactScript.Reason.CONFLICT, restsOn, reaction, conflicting);
            }
            added.add(reaction);
            removed.addAll(conflicting);
            long left =
                    counts.counters.values().stream()
                            .filter(c -> !(removed.contains(c.reaction()) && c.count() == 1))
                            .count();
            boolean shown = counts.counters.containsKey(reaction);
            if (!shown && left + 1 > proposal.rules().limit()) {
                long seq = keeps.test(Rule.NO_OP_WAITS) ? counts.seq : 0;
                return new ReactScript.Reply.Refused(ReactScript.Reason.LIMIT, seq);
            }
        }
        boolean changes = !(added.isEmpty() && removed.isEmpty());
        if (!changes && idempotency == null) {
            return new ReactScript.Reply.Accepted(
                    false,
                    restsOn,
                    counts.version,
                    added,
                    removed,
                    counts.flat(),
                    mine.reactions(),
                    "");
        }

        long seq = at.seq + 1;
        long time = Math.max(proposal.now(), counts.at + 1);
        long version = counts.version + (changes ? 1 : 0);
        var after = counts.copy();
        var touched = new ArrayList<Counter>();
        removed.forEach(id -> touched.add(after.step(id, -1, time)));
        added.forEach(id -> touched.add(after.step(id, 1, time)));
        var ownAfter = new ArrayList<>(mine.reactions());
        ownAfter.removeAll(removed);
        ownAfter.addAll(added);

        var fields = new LinkedHashMap<String, String>();
        fields.put("s", "1");
        fields.put("op", proposal.op());
        fields.put("base", counts.op);
        fields.put("n", key.namespace());
        fields.put("e", key.entity());
        fields.put("u", user);
        fields.put("add", RedisSchema.join(added));
        fields.put("rem", RedisSchema.join(removed));
        fields.put("bv", Long.toString(counts.version));
        fields.put("v", Long.toString(version));
        fields.put("cnt", flat(touched));
        fields.put("at", Long.toString(time));
        fields.put("cfg", Long.toString(proposal.rules().configVersion()));
        if (idempotency != null) {
            // Unchanged counters come first.
            var kept = after.flat();
            kept.removeIf(touched::contains);
            touched.stream().filter(c -> c.count() > 0).forEach(kept::add);
            fields.put("ik", idempotency.key());
            fields.put("ih", idempotency.requestHash());
            fields.put("st", flat(kept));
            fields.put("own", RedisSchema.join(ownAfter));
        }
        if (full && keeps.test(Rule.XADD_FIRST)) {
            throw new OutOfMemory();
        }

        after.version = version;
        after.op = proposal.op();
        after.seq = seq;
        after.at = time;
        after.people += (ownAfter.isEmpty() ? 0 : 1) - (mine.reactions().isEmpty() ? 0 : 1);
        after.dirty = true;
        at.counts.put(key, after);
        users.users.put(user, new Own(seq, ownAfter));
        users.dirty = true;
        if (full) {
            throw new OutOfMemory();
        }
        at.outbox.add(new Entry(at.epoch, seq, fields));
        at.seq = seq;
        if (idempotency != null) {
            at.inHand.put(inHand, new InHand(idempotency.request(), at.epoch, seq));
        }
        return new ReactScript.Reply.Accepted(
                changes, seq, version, added, removed, after.flat(), ownAfter, text(fields));
    }

    private static String text(Map<String, String> event) {
        return event.entrySet().stream()
                .map(member -> member.getKey() + RedisSchema.PART + member.getValue())
                .collect(Collectors.joining(RedisSchema.PART));
    }

    private static String flat(List<Counter> counters) {
        return RedisSchema.join(
                counters.stream()
                        .map(c -> c.reaction() + RedisSchema.SEPARATOR + RedisSchema.value(c))
                        .toList());
    }

    @Override
    public ReadScript.Reply read(
            int p, Fence fence, EntityKey key, String viewer, String token, String stale) {
        var at = state.partition(p);
        if (!fenceHolds(at, fence)) {
            return new ReadScript.Reply.Fenced();
        }
        var counts = at.counts.get(key);
        var users = at.users.get(key);
        if (counts == null
                || users == null
                || counts.epoch != at.epoch
                || users.epoch != at.epoch) {
            return new ReadScript.Reply.Miss(takeLease(at, key, token, stale));
        }
        return new ReadScript.Reply.Hit(
                counts.version,
                counts.op,
                counts.people,
                counts.flat(),
                users.users.getOrDefault(viewer, Own.NONE).reactions());
    }

    @Override
    public InstallScript.Reply install(
            int p, Fence fence, EntityKey key, EntitySnapshot snapshot, String token) {
        var at = state.partition(p);
        if (!fenceHolds(at, fence)) {
            return InstallScript.Reply.FENCED;
        }
        if (keeps.test(Rule.LEASE_AT_INSTALL) && !token.equals(at.leases.get(key))) {
            return InstallScript.Reply.LOST;
        }
        boolean settled = at.seq == at.acked;
        if (!settled && keeps.test(Rule.DIRTY_STAYS)) {
            var counts = at.counts.get(key);
            var users = at.users.get(key);
            if (counts != null && counts.epoch == at.epoch && counts.dirty
                    || users != null && users.epoch == at.epoch && users.dirty) {
                return InstallScript.Reply.DIRTY;
            }
        }
        if (full) {
            throw new OutOfMemory();
        }
        at.leases.remove(key);
        var counts = new Counts();
        counts.epoch = at.epoch;
        counts.since = at.seq;
        counts.version = snapshot.version();
        counts.op = snapshot.op();
        counts.at = snapshot.lastAt();
        counts.people = snapshot.people();
        snapshot.counters().forEach(counter -> counts.counters.put(counter.reaction(), counter));
        at.counts.put(key, counts);
        var users = new Users();
        users.epoch = at.epoch;
        users.since = at.seq;
        snapshot.users().forEach((user, reactions) -> users.users.put(user, new Own(0, reactions)));
        at.users.put(key, users);
        return InstallScript.Reply.INSTALLED;
    }

    @Override
    public boolean ack(int p, Fence fence, long after, long applied, List<Fate> fates) {
        var at = state.partition(p);
        if (!fenceHolds(at, fence)) {
            return false;
        }
        var versions = new HashMap<Long, String>(); // of the committed events, for a broken rule
        at.outbox.forEach(entry -> versions.put(entry.seq(), entry.fields().get("v")));
        if (at.acked >= after || !keeps.test(Rule.ACK_WITHOUT_A_GAP)) {
            at.outbox.removeIf(
                    entry ->
                            entry.epoch() < fence.epoch()
                                    || entry.epoch() == fence.epoch() && entry.seq() < applied);
            at.acked = Math.max(at.acked, applied);
        }
        for (Fate fate : fates) {
            if (mustGo(at, fate, versions.get(fate.committed()))) {
                at.counts.remove(fate.key());
                at.users.remove(fate.key());
                if (keeps.test(Rule.LEASE_VOIDED)) {
                    at.leases.remove(fate.key());
                }
            }
        }
        return true;
    }

    /**
     * Whether an entity must be removed because the commit contradicts it; otherwise it becomes
     * clean.
     */
    private boolean mustGo(Partition at, Fate fate, String version) {
        var counts = at.counts.get(fate.key());
        if (counts == null || counts.epoch != at.epoch) {
            return true;
        }
        if (fate.rejected() > 0 && (counts.since < fate.rejected() || !keeps.test(Rule.SINCE))) {
            return true;
        }
        if (fate.committed() == 0) {
            return false;
        }
        boolean borneOut =
                keeps.test(Rule.ACK_BY_OP)
                        ? counts.op.equals(fate.op())
                        : Long.toString(counts.version).equals(version);
        if (borneOut) {
            counts.dirty = false;
            if (keeps.test(Rule.LEASE_VOIDED)) {
                at.leases.remove(fate.key());
            }
            var users = at.users.get(fate.key());
            if (users != null) {
                users.dirty = false;
            }
            return false;
        }
        return counts.seq <= fate.committed();
    }

    @Override
    public OpenScript.Reply open(int p, Fence fence) {
        if (!incarnation.equals(fence.incarnation())) {
            return OpenScript.Reply.FENCED;
        }
        var at = state.partition(p);
        if (at.epoch >= fence.epoch()) {
            return OpenScript.Reply.REFUSED;
        }
        at.outbox.clear();
        at.epoch = fence.epoch();
        at.incarnation = incarnation;
        at.seq = 0;
        at.acked = 0;
        return OpenScript.Reply.OPENED;
    }

    @Override
    public int sweep(int p, List<EntityKey> entities) {
        var at = state.partition(p);
        int before = at.counts.size() + at.users.size();
        at.counts
                .entrySet()
                .removeIf(e -> entities.contains(e.getKey()) && e.getValue().epoch < at.epoch);
        at.users
                .entrySet()
                .removeIf(e -> entities.contains(e.getKey()) && e.getValue().epoch < at.epoch);
        return before - at.counts.size() - at.users.size();
    }

    @Override
    public String incarnation() {
        return incarnation;
    }

    @Override
    public Meta meta(int p) {
        var at = state.partition(p);
        return new Meta(at.epoch, at.incarnation, at.seq, at.acked);
    }

    @Override
    public List<Entry> outbox(int p, int count) {
        var all = state.partition(p).outbox;
        return List.copyOf(all.subList(0, Math.min(count, all.size())));
    }

    @Override
    public void lose(int p, @Nullable EntityKey key, Part part, boolean onlyClean) {
        var at = state.partition(p);
        switch (part) {
            case COUNTS ->
                    at.counts.computeIfPresent(key, (_, it) -> onlyClean && it.dirty ? it : null);
            case USERS ->
                    at.users.computeIfPresent(key, (_, it) -> onlyClean && it.dirty ? it : null);
            case LEASE -> at.leases.remove(key);
            case IN_HAND -> at.inHand.clear();
            case OUTBOX -> at.outbox.clear();
            case META -> {
                at.epoch = 0;
                at.incarnation = "";
                at.seq = 0;
                at.acked = 0;
            }
        }
    }

    @Override
    public void flush() {
        state = new HotState(state.size());
    }

    @Override
    public void full(boolean isFull) {
        full = isFull;
    }

    @Override
    public void renew(String next) {
        incarnation = next;
    }

    @Override
    public Object save() {
        return state.copy();
    }

    @Override
    public void restore(Object saved) {
        state = ((HotState) saved).copy();
    }

    @Override
    public Map<String, String> contents() {
        return state.contents();
    }
}
