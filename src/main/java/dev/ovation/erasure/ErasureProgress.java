package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.job.Job;
import dev.ovation.job.JobLease;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** How far an erasure has come, and how much it has removed: numbers only, never whose. */
final class ErasureProgress {

    private static final String PHASE = "phase";
    private static final String PLACE = "place";
    private static final String ENTITIES = "entities";

    private final JobLease lease;
    private final ObjectNode position;
    private final ObjectNode report;
    private long done;

    ErasureProgress(Job job, JobLease lease) {
        this.lease = lease;
        this.position = (ObjectNode) job.position().deepCopy();
        this.report = (ObjectNode) job.report().deepCopy();
        this.done = job.done();
    }

    /** How many phases are over. */
    int phase() {
        return position.path(PHASE).asInt(0);
    }

    /** The place where the phase continues; this record at its beginning. */
    String place(String start) {
        return position.path(PLACE).asString(start);
    }

    void goOnAt(String place) {
        position.put(PLACE, place);
    }

    void nextPhase() {
        position.put(PHASE, phase() + 1);
        position.remove(PLACE);
    }

    /** The entities that a job changed last. */
    static List<EntityKey> entities(Job job) {
        return job.position()
                .path(ENTITIES)
                .valueStream()
                .map(each -> each.asString("").split(":", 2))
                .map(parts -> new EntityKey(parts[0], parts[1]))
                .toList();
    }

    /** Notes the entities that are about to be changed: a namespace has no colon. */
    void entities(List<EntityKey> keys) {
        ArrayNode list = position.putArray(ENTITIES);
        keys.forEach(key -> list.add(key.namespace() + ':' + key.entity()));
    }

    /** Counts what was removed. */
    void removed(String what, long count) {
        report.put(what, report.path(what).asLong(0) + count);
        done += count;
    }

    /** Stores the progress, in the transaction of the batch. */
    void save() {
        lease.save(position, done, report);
    }

    /** Marks the erasure as done and forgets its subject. */
    void end() {
        lease.finishAndErase(report);
    }
}
