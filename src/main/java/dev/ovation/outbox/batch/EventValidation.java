package dev.ovation.outbox.batch;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.EntityTable.EntityStep;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.CounterTimes;
import dev.ovation.store.ReactionTables.UserReaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * The decision which events of a batch are applied, and their net effect.
 *
 * @param accepted the events that continue the committed state of their entity, in order
 * @param rejected why each of the others is rejected, by op
 */
record EventValidation(List<Event> accepted, Map<String, String> rejected) {

    /** Why an event whose base is not the committed state is rejected. */
    static final String CONFLICT = "conflict";

    /**
     * Judges by identity: an event is accepted only on the state, version and op, on which it was
     * proposed. So a rejected event causes the rejection of those that depend on it, and of no
     * others.
     *
     * @param events in the order of their outboxes
     * @param heads the committed states; an entity without one is new
     * @param refused events that must not be applied, by op, and why
     */
    static EventValidation of(
            List<Event> events, Map<EntityKey, EntityHead> heads, Map<String, String> refused) {
        var current = new HashMap<>(heads);
        var accepted = new ArrayList<Event>(events.size());
        var rejected = new LinkedHashMap<String, String>();
        for (Event event : events) {
            var base = new EntityHead(event.baseVersion(), event.baseOp());
            String reason = refused.get(event.op());
            if (reason == null
                    && !base.equals(current.getOrDefault(event.key(), EntityHead.NONE))) {
                reason = CONFLICT;
            }
            if (reason == null) {
                accepted.add(event);
                current.put(event.key(), new EntityHead(event.version(), event.op()));
            } else {
                rejected.put(event.op(), reason);
            }
        }
        return new EventValidation(accepted, rejected);
    }

    /**
     * Returns the change of each entity's head by the batch, in the order of the entities.
     *
     * @param partitions of the entities
     */
    List<EntityStep> steps(ToIntFunction<EntityKey> partitions) {
        var steps = new TreeMap<EntityKey, EntityStep>();
        for (Event event : accepted) {
            var head = new EntityHead(event.version(), event.op());
            var first = steps.get(event.key());
            var base =
                    first == null
                            ? new EntityHead(event.baseVersion(), event.baseOp())
                            : first.base();
            int p = partitions.applyAsInt(event.key());
            steps.put(event.key(), new EntityStep(p, event.key(), base, head, event.at()));
        }
        return List.copyOf(steps.values());
    }

    /** Returns the net effect of the accepted events. */
    Effects effects() {
        Map<UserReaction, Long> removed = new LinkedHashMap<>();
        Map<UserReaction, Long> added = new LinkedHashMap<>();
        Map<UserReaction, String> forms = new LinkedHashMap<>();
        Map<CounterKey, CounterTimes> touched = new LinkedHashMap<>();
        for (Event event : accepted) {
            for (String reaction : event.removed()) {
                var row = new UserReaction(event.key(), event.user(), reaction);
                removed.put(row, event.at());
                added.remove(row);
                forms.remove(row);
            }
            for (String reaction : event.added()) {
                var row = new UserReaction(event.key(), event.user(), reaction);
                added.put(row, event.at());
                String form = event.forms().get(reaction);
                if (form != null) {
                    forms.put(row, form);
                }
            }
            for (var counter : event.touched()) {
                touched.put(
                        new CounterKey(event.key(), counter.reaction()),
                        new CounterTimes(counter.firstAt(), counter.lastAt()));
            }
        }
        return new Effects(removed, added, forms, touched);
    }

    /** The net effect of a batch: each row once on each side; the removals run first. */
    record Effects(
            Map<UserReaction, Long> removed,
            Map<UserReaction, Long> added,
            Map<UserReaction, String> forms,
            Map<CounterKey, CounterTimes> touched) {}
}
