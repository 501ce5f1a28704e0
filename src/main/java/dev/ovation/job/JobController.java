package dev.ovation.job;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.job.Job.JobState;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.PageCursor;
import dev.ovation.web.request.PageLimit;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.LinkedHashMap;
import java.util.List;

/** {@code /jobs}: progress of jobs, and their cancellation. */
@Controller
final class JobController {

    private final JobTable jobs;
    private final PostgresBulkhead gate;

    JobController(JobTable jobs, PostgresBulkhead gate) {
        this.jobs = jobs;
        this.gate = gate;
    }

    @GetMapping("/jobs")
    @RequiresScope(Scope.TRANSFER)
    HttpAnswer look(HttpServletRequest request) {
        JobListRequest asked = asked(QueryString.of(request, "job_id", "state", "limit", "cursor"));
        return asked.job == null ? list(asked) : HttpAnswer.json(JobJson.of(find(asked.job)));
    }

    /** Cancels a job. A job that has ended already keeps its state, which is the answer. */
    @DeleteMapping("/jobs")
    @RequiresScope(Scope.TRANSFER)
    HttpAnswer cancel(HttpServletRequest request) {
        String id = QueryString.of(request, "job_id").text("job_id");
        if (id == null) {
            var violations = new RequestViolations();
            violations.add("job_id", "is missing");
            violations.throwIfAny();
        }
        Job job = find(String.valueOf(id));
        gate.ask(
                () -> {
                    jobs.cancel(job.id());
                    return job;
                });
        return HttpAnswer.json(JobJson.of(find(Long.toString(job.id()))));
    }

    private static JobListRequest asked(QueryString query) {
        var violations = new RequestViolations();
        String label = query.nonEmpty("state");
        JobState state = label == null ? null : JobState.of(label);
        if (label != null && state == null) {
            violations.add("state", "must be waiting, running, done, failed or cancelled");
        }
        int limit = PageLimit.of(query, violations);
        violations.throwIfAny();
        PageCursor cursor = PageCursor.of("jobs", String.valueOf(label));
        long below = cursor.below(query.text("cursor"));
        return new JobListRequest(query.text("job_id"), state, below, limit, cursor);
    }

    private HttpAnswer list(JobListRequest asked) {
        List<Job> found = gate.ask(() -> jobs.list(asked.state, asked.below, asked.limit + 1));
        List<Job> page = found.subList(0, Math.min(asked.limit, found.size()));
        var json = new LinkedHashMap<String, Object>();
        json.put("jobs", page.stream().map(JobJson::of).toList());
        if (found.size() > asked.limit) {
            json.put("next_cursor", asked.cursor.at(page.getLast().id()));
        }
        return HttpAnswer.json(json);
    }

    /** A query for one job, or for the jobs of a state with smaller numbers. */
    private record JobListRequest(
            @Nullable String job,
            @Nullable JobState state,
            long below,
            int limit,
            PageCursor cursor) {}

    private Job find(String id) {
        long number = id.matches("\\d{1,18}") ? Long.parseLong(id) : 0;
        return gate.ask(() -> jobs.find(number))
                .orElseThrow(
                        () -> new ProblemException(ProblemCode.NOT_FOUND, "there is no such job"));
    }
}
