package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.UserTraces;
import dev.ovation.job.Job;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;
import dev.ovation.outbox.Interventions;
import dev.ovation.transfer.StagedRowRemoval;

import org.springframework.transaction.support.TransactionOperations;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Erases a user, one phase after the other: what would become the user's comes first, then what is
 * the user's, then what tells of it. Each phase deletes what it finds, so to begin one again does
 * no harm. Whoever writes for the user meanwhile is not refused, and is a new user of that name.
 */
final class UserErasure implements JobHandler {

    static final String KIND = "erase-user";
    static final String USER = "user_id";

    /** Reactions that are looked up at once; of as many entities at most. */
    private static final int FOUND = 5_000;

    /** Entities that are changed in one transaction. */
    private static final int AT_ONCE = 200;

    private final StagedRowRemoval staging;
    private final Traces traces;
    private final Removals removals;
    private final UserTraces hot;
    private final JobRedaction jobs;
    private final Interventions interventions;
    private final TransactionOperations transactions;
    private final Partitions partitions;
    private final List<Phase> phases =
            List.of(
                    this::staged,
                    this::friendships,
                    this::reactions,
                    this::hot,
                    this::answers,
                    this::reports,
                    this::outboxes);

    UserErasure(
            StagedRowRemoval staging,
            Traces traces,
            Removals removals,
            UserTraces hot,
            JobRedaction jobs,
            Interventions interventions,
            TransactionOperations transactions,
            Partitions partitions) {
        this.staging = staging;
        this.traces = traces;
        this.removals = removals;
        this.hot = hot;
        this.jobs = jobs;
        this.interventions = interventions;
        this.transactions = transactions;
        this.partitions = partitions;
    }

    /** Does a piece of a phase; {@link JobHandler.StepOutcome#ENDED} when that was its last. */
    private interface Phase {
        StepOutcome step(String user, Progress at) throws InterruptedException;
    }

    @Override
    public Set<String> kinds() {
        return Set.of(KIND);
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        boolean all = true;
        for (var part : byPartition(Progress.entities(job)).entrySet()) {
            all &= interventions.tellAgain(part.getKey(), part.getValue());
        }
        return all;
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        String user = job.request().path(USER).asString("");
        var at = new Progress(job, lease);
        if (at.phase() == phases.size()) {
            at.end();
            return StepOutcome.ENDED;
        }
        StepOutcome outcome = phases.get(at.phase()).step(user, at);
        if (outcome != StepOutcome.ENDED) {
            return outcome;
        }
        at.nextPhase();
        at.save();
        return StepOutcome.MORE;
    }

    private StepOutcome staged(String user, Progress at) {
        StagedRowRemoval.Part part =
                transactions.execute(
                        _ -> {
                            var of = Map.of("user", user);
                            var deleted =
                                    staging.delete(
                                            StagedRowRemoval.OF_USER,
                                            of,
                                            at.place(StagedRowRemoval.START));
                            at.removed("staged", deleted.removed());
                            if (deleted.next() != null) {
                                at.goOnAt(deleted.next());
                            }
                            at.save();
                            return deleted;
                        });
        return part == null || part.next() != null ? StepOutcome.MORE : StepOutcome.ENDED;
    }

    private StepOutcome friendships(String user, Progress at) {
        if (delete(user, "friendships", traces::friendships, at) == Traces.BATCH) {
            return StepOutcome.MORE;
        }
        delete(user, "names", traces::profile, at);
        return StepOutcome.ENDED;
    }

    /** As long as as many are found as are looked for; so who goes on writing holds up nobody. */
    private StepOutcome reactions(String user, Progress at) throws InterruptedException {
        List<EntityKey> found = traces.reactions(user, FOUND);
        if (!change(user, new HashSet<>(found), at)) {
            return StepOutcome.BUSY;
        }
        return found.size() == FOUND ? StepOutcome.MORE : StepOutcome.ENDED;
    }

    /**
     * Entities that name the user in Redis alone, and those on which something of the user was
     * proposed and not committed.
     */
    private StepOutcome hot(String user, Progress at) throws InterruptedException {
        var page = hot.page(user, at.place(UserTraces.START));
        if (!change(user, page.entities(), at)) {
            return StepOutcome.BUSY;
        }
        if (page.next() == null) {
            return StepOutcome.ENDED;
        }
        at.goOnAt(page.next());
        at.save();
        return StepOutcome.MORE;
    }

    /** After everything that was proposed is committed, and its answers with it. */
    private StepOutcome answers(String user, Progress at) {
        return delete(user, "answers", traces::answers, at) == Traces.BATCH
                ? StepOutcome.MORE
                : StepOutcome.ENDED;
    }

    private StepOutcome reports(String user, Progress at) {
        jobs.redact(user);
        return StepOutcome.ENDED;
    }

    private StepOutcome outboxes(String user, Progress at) {
        for (int p = 0; p < partitions.count(); p++) {
            if (!hot.anonymize(p, user)) {
                return StepOutcome.BUSY;
            }
        }
        return StepOutcome.ENDED;
    }

    private int delete(String user, String what, ToIntFunction<String> statement, Progress at) {
        Integer deleted =
                transactions.execute(
                        _ -> {
                            int rows = statement.applyAsInt(user);
                            at.removed(what, rows);
                            at.save();
                            return rows;
                        });
        return deleted == null ? 0 : deleted;
    }

    /**
     * Removes the user from entities, partition after partition.
     *
     * @return false when a partition was not to be had
     */
    private boolean change(String user, Collection<EntityKey> keys, Progress at)
            throws InterruptedException {
        boolean all = true;
        for (var part : byPartition(keys).entrySet()) {
            List<EntityKey> its = part.getValue();
            for (int from = 0; from < its.size(); from += AT_ONCE) {
                var some = its.subList(from, Math.min(from + AT_ONCE, its.size()));
                all &= change(user, part.getKey(), some, at);
            }
        }
        return all;
    }

    private Map<Integer, List<EntityKey>> byPartition(Collection<EntityKey> keys) {
        return keys.stream()
                .sorted()
                .collect(Collectors.groupingBy(partitions::of, TreeMap::new, Collectors.toList()));
    }

    private boolean change(String user, int p, List<EntityKey> keys, Progress at)
            throws InterruptedException {
        return interventions.make(
                p,
                () -> {
                    var removed = removals.ofUser(user, keys, interventions.leap());
                    at.entities(keys);
                    at.removed("reactions", removed.rows());
                    at.save();
                    return removed.changed();
                });
    }
}
