package dev.ovation.outbox.batch;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Event;
import dev.ovation.store.EntityTable.Head;
import dev.ovation.store.EntityTable.Step;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.Times;
import dev.ovation.store.ReactionTables.UserReaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which events of a batch are applied, and what they come to together.
 *
 * @param accepted the events that continue the committed state of their entity, in order
 * @param rejected why each of the others is passed over, by op
 */
record Judgement(List<Event> accepted, Map<String, String> rejected) {

    /** Why an event whose base is not the committed state is rejected. */
    static final String CONFLICT = "conflict";

    /**
     * Judges by identity: an event counts only on the very state, version and op, on which it was
     * proposed. So a rejected event takes down those that rest on it, and no others.
     *
     * @param events in the order of their outboxes
     * @param heads the committed states; an entity that has none is new
     * @param refused events that must not be applied, by op, and why
     */
    static Judgement of(
            List<Event> events, Map<EntityKey, Head> heads, Map<String, String> refused) {
        var current = new HashMap<>(heads);
        var accepted = new ArrayList<Event>(events.size());
        var rejected = new LinkedHashMap<String, String>();
        for (Event event : events) {
            var base = new Head(event.baseVersion(), event.baseOp());
            String reason = refused.get(event.op());
            if (reason == null && !base.equals(current.getOrDefault(event.key(), Head.NONE))) {
                reason = CONFLICT;
            }
            if (reason == null) {
                accepted.add(event);
                current.put(event.key(), new Head(event.version(), event.op()));
            } else {
                rejected.put(event.op(), reason);
            }
        }
        return new Judgement(accepted, rejected);
    }

    /** Returns the way of each entity through the batch, in the order of the entities. */
    List<Step> steps() {
        var steps = new TreeMap<EntityKey, Step>();
        for (Event event : accepted) {
            var head = new Head(event.version(), event.op());
            var first = steps.get(event.key());
            var base = first == null ? new Head(event.baseVersion(), event.baseOp()) : first.base();
            steps.put(event.key(), new Step(event.key(), base, head, event.at()));
        }
        return List.copyOf(steps.values());
    }

    /** Returns what the accepted events come to. */
    Effects effects() {
        Set<UserReaction> removed = new LinkedHashSet<>();
        Map<UserReaction, Long> added = new LinkedHashMap<>();
        Map<CounterKey, Times> touched = new LinkedHashMap<>();
        for (Event event : accepted) {
            for (String reaction : event.removed()) {
                var row = new UserReaction(event.key(), event.user(), reaction);
                removed.add(row);
                added.remove(row);
            }
            for (String reaction : event.added()) {
                added.put(new UserReaction(event.key(), event.user(), reaction), event.at());
            }
            for (var counter : event.touched()) {
                touched.put(
                        new CounterKey(event.key(), counter.reaction()),
                        new Times(counter.firstAt(), counter.lastAt()));
            }
        }
        return new Effects(removed, added, touched);
    }

    /** The net effect of a batch: each row once on each side; what is removed goes first. */
    record Effects(
            Set<UserReaction> removed,
            Map<UserReaction, Long> added,
            Map<CounterKey, Times> touched) {}
}
