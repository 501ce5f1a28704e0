package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.erasure.removal.ReactionRemoval;
import dev.ovation.hot.HotUserData;
import dev.ovation.job.Job;
import dev.ovation.job.JobHandler;
import dev.ovation.job.JobLease;
import dev.ovation.job.JobTable;
import dev.ovation.transfer.staging.StagedRowRemoval;

import org.springframework.transaction.support.TransactionOperations;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Erases a user in phases: staged data first, then the stored data of the user, then the records
 * that mention it. Each phase deletes what it finds, so a phase can be repeated. Writes for the
 * user meanwhile are accepted, and belong to a new user of that name.
 */
final class UserErasure implements JobHandler {

    static final String KIND = "erase-user";
    static final String USER = RemovalJobs.USER;

    private static final List<String> KINDS_OF_BANS =
            List.of(BannedReactions.REMOVE, BannedReactions.HIDE, HiddenReactionReturn.KIND);

    private final StagedRowRemoval staging;
    private final StoredUserData userData;
    private final ReactionRemoval removals;
    private final HotUserData hot;
    private final JobTable jobs;
    private final JobRedaction redaction;
    private final LoggedUserData logged;
    private final UserChange changes;
    private final TransactionOperations transactions;
    private final List<Phase> phases =
            List.of(
                    this::staged,
                    this::friendships,
                    this::reactions,
                    this::hot,
                    this::removals,
                    this::answers,
                    this::log,
                    this::announcement,
                    this::reports,
                    this::outboxes);

    UserErasure(
            StagedRowRemoval staging,
            StoredUserData userData,
            ReactionRemoval removals,
            HotUserData hot,
            JobTable jobs,
            JobRedaction redaction,
            LoggedUserData logged,
            UserChange changes,
            TransactionOperations transactions) {
        this.staging = staging;
        this.userData = userData;
        this.removals = removals;
        this.hot = hot;
        this.jobs = jobs;
        this.redaction = redaction;
        this.logged = logged;
        this.changes = changes;
        this.transactions = transactions;
    }

    /** Does a piece of a phase; {@link JobHandler.StepOutcome#ENDED} when that was its last. */
    private interface Phase {
        StepOutcome step(String user, ErasureProgress at) throws InterruptedException;
    }

    @Override
    public Set<String> kinds() {
        return Set.of(KIND);
    }

    @Override
    public boolean reacknowledge(Job job) throws InterruptedException {
        return changes.reacknowledge(job);
    }

    @Override
    public StepOutcome step(Job job, JobLease lease) throws InterruptedException {
        String user = job.request().path(USER).asString("");
        var at = new ErasureProgress(job, lease);
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

    /**
     * Begins when all commits from before the erasure are visible, and ends when those are that
     * moved staged rows meanwhile. So this phase and the next ones find their rows.
     */
    private StepOutcome staged(String user, ErasureProgress at) throws InterruptedException {
        String from = at.place(StagedRowRemoval.START);
        if (from.equals(StagedRowRemoval.START) && !userData.awaitCommits()) {
            return StepOutcome.BUSY;
        }
        StagedRowRemoval.StagedRowResult part =
                transactions.execute(
                        _ -> {
                            var of = Map.of("user", user);
                            var deleted = staging.delete(StagedRowRemoval.OF_USER, of, from);
                            at.removed("staged", deleted.removed());
                            if (deleted.next() != null) {
                                at.goOnAt(deleted.next());
                            }
                            at.save();
                            return deleted;
                        });
        if (part == null || part.next() != null) {
            return StepOutcome.MORE;
        }
        return afterCommits();
    }

    /** The next phase finds the rows of each commit that was decided by now. */
    private StepOutcome afterCommits() throws InterruptedException {
        return userData.awaitCommits() ? StepOutcome.ENDED : StepOutcome.BUSY;
    }

    /** Ends when the last steps of the jobs that it cancels are visible. */
    private StepOutcome friendships(String user, ErasureProgress at) throws InterruptedException {
        StoredUserData.EndedFriendships ended =
                transactions.execute(
                        _ -> {
                            var some = userData.friendships(user);
                            at.removed("friendships", some.count());
                            at.save();
                            return some;
                        });
        if (ended == null || ended.more()) {
            return StepOutcome.MORE;
        }
        delete(user, "names", userData::profile, at);
        delete(user, "bans", this::bans, at);
        return afterCommits();
    }

    /** Lifts the bans and cancels their jobs, so that no step of them changes anything later. */
    private int bans(String user) {
        int lifted = userData.bans(user);
        jobs.cancel(KINDS_OF_BANS, USER, user);
        return lifted;
    }

    /**
     * Repeats while a batch comes back full, so concurrent writes of the user do not delay the end.
     */
    private StepOutcome reactions(String user, ErasureProgress at) throws InterruptedException {
        List<EntityKey> found = userData.reactions(user, UserChange.FOUND);
        if (!change(user, new HashSet<>(found), at)) {
            return StepOutcome.BUSY;
        }
        return found.size() == UserChange.FOUND ? StepOutcome.MORE : StepOutcome.ENDED;
    }

    /**
     * Entities that name the user in Redis alone, and those on which something of the user was
     * proposed and not committed. The phases after it find what was committed meanwhile.
     */
    private StepOutcome hot(String user, ErasureProgress at) throws InterruptedException {
        var page = hot.page(user, at.place(HotUserData.START));
        if (!change(user, page.entities(), at)) {
            return StepOutcome.BUSY;
        }
        if (page.next() == null) {
            return afterCommits();
        }
        at.goOnAt(page.next());
        at.save();
        return StepOutcome.MORE;
    }

    /** After everything that was proposed is committed, and its removals with it. */
    private StepOutcome removals(String user, ErasureProgress at) {
        delete(user, "hidden", userData::hidden, at);
        return delete(user, "removals", userData::removals, at) >= StoredUserData.BATCH
                ? StepOutcome.MORE
                : StepOutcome.ENDED;
    }

    /** After everything that was proposed is committed, and its answers with it. */
    private StepOutcome answers(String user, ErasureProgress at) {
        return delete(user, "answers", userData::answers, at) >= StoredUserData.BATCH
                ? StepOutcome.MORE
                : StepOutcome.ENDED;
    }

    private StepOutcome log(String user, ErasureProgress at) {
        String next = logged.redact(user, at.place(LoggedUserData.START));
        if (next == null) {
            return StepOutcome.ENDED;
        }
        at.goOnAt(next);
        at.save();
        return StepOutcome.MORE;
    }

    /** Announces changes to consumers, also those of entities without the user's reactions now. */
    private StepOutcome announcement(String user, ErasureProgress at) throws InterruptedException {
        int p = Math.floorMod(user.hashCode(), changes.partitions());
        boolean made = changes.execute(p, () -> logged.announce(p, user));
        return made ? StepOutcome.ENDED : StepOutcome.BUSY;
    }

    private StepOutcome reports(String user, ErasureProgress at) {
        redaction.redact(user);
        return StepOutcome.ENDED;
    }

    private StepOutcome outboxes(String user, ErasureProgress at) {
        for (int p = 0; p < changes.partitions(); p++) {
            if (!hot.anonymize(p, user)) {
                return StepOutcome.BUSY;
            }
        }
        return StepOutcome.ENDED;
    }

    private int delete(
            String user, String what, ToIntFunction<String> statement, ErasureProgress at) {
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
     * Removes the user from entities.
     *
     * @return false when a partition was not available
     */
    private boolean change(String user, Collection<EntityKey> keys, ErasureProgress at)
            throws InterruptedException {
        return changes.change(
                keys,
                (some, leap) ->
                        removals.ofUser(
                                user, some, ReactionRemoval.Trace.NONE, Long.MAX_VALUE, leap),
                at);
    }
}
