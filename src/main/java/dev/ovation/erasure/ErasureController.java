package dev.ovation.erasure;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.job.Job;
import dev.ovation.job.Job.JobState;
import dev.ovation.job.JobJson;
import dev.ovation.job.JobTable;
import dev.ovation.job.JobTable.Begun;
import dev.ovation.job.JobWorker;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * {@code DELETE /users} and {@code DELETE /entities}. A request that began an erasure carries it on
 * itself for a while; then a job does.
 */
@Controller
final class ErasureController {

    private static final Map<String, String> OK = Map.of("status", "ok");
    private static final Duration AT_MOST = Duration.ofSeconds(1);

    /** Requests that do so at once; they use as many connections as the relay may need. */
    private static final int AT_ONCE = 2;

    private final JobTable jobs;
    private final JobWorker jobWorker;
    private final PostgresBulkhead gate;
    private final Semaphore permits = new Semaphore(AT_ONCE);

    ErasureController(JobTable jobs, JobWorker jobWorker, PostgresBulkhead gate) {
        this.jobs = jobs;
        this.jobWorker = jobWorker;
        this.gate = gate;
    }

    @DeleteMapping("/users")
    @RequiresScope(Scope.ERASE)
    HttpAnswer user(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "user_id");
        var violations = new RequestViolations();
        // The scope is for any user.
        String user = IdFields.id("user_id", query.text("user_id"), violations);
        IdFields.everyNamespace(Principal.of(request), violations);
        violations.throwIfAny();
        return erase(
                UserErasure.KIND,
                JsonNodeFactory.instance.objectNode().put(UserErasure.USER, user));
    }

    @DeleteMapping("/entities")
    @RequiresScope(Scope.ERASE)
    HttpAnswer entity(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "namespace_id", "entity_id");
        var violations = new RequestViolations();
        String namespace =
                IdFields.namespace(
                        "namespace_id",
                        query.text("namespace_id"),
                        Principal.of(request),
                        violations);
        String entity = IdFields.id("entity_id", query.text("entity_id"), violations);
        violations.throwIfAny();
        return erase(
                EntityErasure.KIND,
                JsonNodeFactory.instance
                        .objectNode()
                        .put(EntityErasure.NAMESPACE, namespace)
                        .put(EntityErasure.ENTITY, entity));
    }

    /** A repeated request joins the job that is under way; no Idempotency-Key has a space. */
    private HttpAnswer erase(String kind, ObjectNode what) {
        Begun begun = gate.ask(() -> jobs.start(kind, what, kind + ' ' + what));
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
