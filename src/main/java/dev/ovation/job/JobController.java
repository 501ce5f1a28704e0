package dev.ovation.job;

import dev.ovation.job.Job.State;
import dev.ovation.store.PostgresGate;
import dev.ovation.web.Answer;
import dev.ovation.web.ProblemCode;
import dev.ovation.web.ProblemException;
import dev.ovation.web.QueryString;
import dev.ovation.web.Violations;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.LinkedHashMap;
import java.util.List;

/** {@code /jobs}: how jobs get on, and an end to those that nobody wants any more. */
@Controller
final class JobController {

    private static final int LIMIT = 50;
    private static final int MAX_LIMIT = 200;

    private final Jobs jobs;
    private final PostgresGate gate;

    JobController(Jobs jobs, PostgresGate gate) {
        this.jobs = jobs;
        this.gate = gate;
    }

    @GetMapping("/jobs")
    Answer look(HttpServletRequest request) {
        QueryString query = QueryString.of(request);
        String id = query.text("job_id");
        return id == null ? list(query) : Answer.json(JobJson.of(find(id)));
    }

    /** An end is an end: what was done or failed before stays so, and is answered. */
    @DeleteMapping("/jobs")
    Answer cancel(HttpServletRequest request) {
        String id = QueryString.of(request).text("job_id");
        if (id == null) {
            var violations = new Violations();
            violations.add("job_id", "is missing");
            violations.throwIfAny();
        }
        Job job = find(String.valueOf(id));
        gate.ask(
                () -> {
                    jobs.cancel(job.id());
                    return job;
                });
        return Answer.json(JobJson.of(find(Long.toString(job.id()))));
    }

    private Answer list(QueryString query) {
        var violations = new Violations();
        String label = query.nonEmpty("state");
        State state = label == null ? null : State.of(label);
        if (label != null && state == null) {
            violations.add("state", "must be waiting, running, done, failed or cancelled");
        }
        long limit = number(query, "limit", LIMIT);
        if (limit < 1 || limit > MAX_LIMIT) {
            violations.add("limit", "must be a number from 1 to " + MAX_LIMIT);
        }
        violations.throwIfAny();
        long below = number(query, "cursor", Long.MAX_VALUE);
        List<Job> found = gate.ask(() -> jobs.list(state, below, Math.toIntExact(limit) + 1));
        var json = new LinkedHashMap<String, Object>();
        List<Job> page = found.subList(0, Math.toIntExact(Math.min(limit, found.size())));
        json.put("jobs", page.stream().map(JobJson::of).toList());
        if (found.size() > page.size()) {
            json.put("next_cursor", Long.toString(page.getLast().id()));
        }
        return Answer.json(json);
    }

    private Job find(String id) {
        long number = number(id);
        return gate.ask(() -> jobs.find(number))
                .orElseThrow(
                        () -> new ProblemException(ProblemCode.NOT_FOUND, "there is no such job"));
    }

    private static long number(QueryString query, String name, long otherwise) {
        String text = query.nonEmpty(name);
        return text == null ? otherwise : number(text);
    }

    /** Below 0 when it is none. */
    private static long number(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }
}
