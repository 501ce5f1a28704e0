package dev.ovation.erasure;

import dev.ovation.entity.EntityKey;
import dev.ovation.job.Job;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobJson;
import dev.ovation.job.JobTable;
import dev.ovation.job.JobTable.Begun;
import dev.ovation.job.JobWorker;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.http.HttpAnswer;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Jobs that remove or return reactions. A request that began a job executes it itself for a while;
 * then the workers do.
 */
public final class RemovalJobs {

    static final String USER = "user_id";
    static final String NAMESPACE = "namespace_id";
    static final String ENTITY = "entity_id";
    static final String REACTION = "reaction";

    private static final Map<String, String> OK = Map.of("status", "ok");
    private static final Duration AT_MOST = Duration.ofSeconds(1);

    /** Requests that do so at once; they use as many connections as the relay may need. */
    private static final int AT_ONCE = 2;

    private final JobTable jobs;
    private final JobWorker jobWorker;
    private final PostgresBulkhead gate;
    private final Semaphore permits = new Semaphore(AT_ONCE);

    RemovalJobs(JobTable jobs, JobWorker jobWorker, PostgresBulkhead gate) {
        this.jobs = jobs;
        this.jobWorker = jobWorker;
        this.gate = gate;
    }

    /** Erases all data of a user. */
    HttpAnswer eraseUser(String user) {
        return run(UserErasure.KIND, of(user));
    }

    /** Erases all reactions to an entity. */
    HttpAnswer eraseEntity(EntityKey key) {
        return run(EntityErasure.KIND, of(key));
    }

    /**
     * Removes one reaction from an entity.
     *
     * @param reaction its key
     */
    public HttpAnswer removeReaction(EntityKey key, String reaction) {
        return run(OneReactionRemoval.KIND, of(key).put(REACTION, reaction));
    }

    /**
     * Removes all reactions of a banned user, also hidden ones. A ban with an end concerns the
     * reactions from before its end.
     *
     * @param namespace null for all namespaces
     */
    public HttpAnswer removeReactionsOf(String user, @Nullable String namespace) {
        return run(BannedReactions.REMOVE, of(user, namespace));
    }

    /** Hides all reactions of a banned user, as {@link #removeReactionsOf}. */
    public HttpAnswer hideReactionsOf(String user, @Nullable String namespace) {
        return run(BannedReactions.HIDE, of(user, namespace));
    }

    /**
     * Cancels the jobs of a ban that remove or hide reactions, in the transaction that changes or
     * lifts the ban: a step under way is committed before, or not at all. A job of the ban after it
     * begins anew, so it has the whole task of that ban.
     *
     * @param namespace null for all namespaces
     */
    public void cancelJobsOf(String user, @Nullable String namespace) {
        for (String kind : List.of(BannedReactions.REMOVE, BannedReactions.HIDE)) {
            jobs.cancel(key(kind, of(user, namespace)));
        }
    }

    /**
     * Lets a worker continue the job that returns hidden reactions of a user, which may have passed
     * its last row. Called in the transaction after which more rows return.
     */
    public void continueReturnOf(String user) {
        jobs.release(key(HiddenReactionReturn.KIND, of(user)));
    }

    /** Returns whether the job that returns hidden reactions of a user has not ended. */
    public boolean isReturning(String user) {
        return gate.ask(() -> jobs.isOpen(key(HiddenReactionReturn.KIND, of(user))));
    }

    /** Returns the hidden reactions of a user that no ban hides any more. */
    public HttpAnswer showReactionsOf(String user) {
        return run(HiddenReactionReturn.KIND, of(user));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode of(EntityKey key) {
        return object().put(NAMESPACE, key.namespace()).put(ENTITY, key.entity());
    }

    private static ObjectNode of(String user) {
        return object().put(USER, user);
    }

    private static ObjectNode of(String user, @Nullable String namespace) {
        return of(user).put(NAMESPACE, namespace == null ? "" : namespace);
    }

    /** No Idempotency-Key has a space. */
    private static String key(String kind, ObjectNode what) {
        return kind + ' ' + what;
    }

    /** A repeated request joins the job that is under way. */
    private HttpAnswer run(String kind, ObjectNode what) {
        Begun begun = gate.ask(() -> jobs.start(kind, what, key(kind, what)));
        if (begun.lease() != null) {
            boolean here = permits.tryAcquire();
            try {
                jobWorker.run(begun.lease(), here ? AT_MOST : Duration.ZERO);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                if (here) {
                    permits.release();
                }
            }
        }
        Job job = find(begun.job());
        return job.state() == JobState.DONE
                ? HttpAnswer.json(OK)
                : HttpAnswer.accepted(JobJson.location(job), JobJson.of(job));
    }

    private Job find(Job job) {
        try {
            return gate.ask(() -> jobs.find(job.id())).orElse(job);
        } catch (DataAccessException e) {
            return job; // it is down, and will be done
        }
    }
}
