package dev.ovation.job;

import dev.ovation.access.Needs;
import dev.ovation.access.Scope;
import dev.ovation.job.Job.State;
import dev.ovation.store.PostgresGate;
import dev.ovation.web.Answer;
import dev.ovation.web.Cursor;
import dev.ovation.web.Limit;
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

    private final Jobs jobs;
    private final PostgresGate gate;

    JobController(Jobs jobs, PostgresGate gate) {
        this.jobs = jobs;
        this.gate = gate;
    }

    @GetMapping("/jobs")
    @Needs(Scope.TRANSFER)
    Answer look(HttpServletRequest request) {
        Asked asked = asked(QueryString.of(request));
        return asked.job == null ? list(asked) : Answer.json(JobJson.of(find(asked.job)));
    }

    /** An end is an end: what was done or failed before stays so, and is answered. */
    @DeleteMapping("/jobs")
    @Needs(Scope.TRANSFER)
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

    private static Asked asked(QueryString query) {
        var violations = new Violations();
        String label = query.nonEmpty("state");
        State state = label == null ? null : State.of(label);
        if (label != null && state == null) {
            violations.add("state", "must be waiting, running, done, failed or cancelled");
        }
        int limit = Limit.of(query, violations);
        violations.throwIfAny();
        Cursor cursor = Cursor.of("jobs", String.valueOf(label));
        Place place = cursor.read(query.text("cursor"), Place::of);
        long below = place == null ? Long.MAX_VALUE : place.job;
        return new Asked(query.text("job_id"), state, below, limit, cursor);
    }

    private Answer list(Asked asked) {
        List<Job> found = gate.ask(() -> jobs.list(asked.state, asked.below, asked.limit + 1));
        List<Job> page = found.subList(0, Math.min(asked.limit, found.size()));
        var json = new LinkedHashMap<String, Object>();
        json.put("jobs", page.stream().map(JobJson::of).toList());
        if (found.size() > asked.limit) {
            json.put("next_cursor", asked.cursor.at(page.getLast().id()));
        }
        return Answer.json(json);
    }

    /** One job, or those of a state with smaller numbers. */
    private record Asked(
            @Nullable String job, @Nullable State state, long below, int limit, Cursor cursor) {}

    /** Behind which job a list goes on. */
    private record Place(long job) {
        static Place of(List<String> parts) {
            return new Place(Long.parseLong(parts.getFirst()));
        }
    }

    private Job find(String id) {
        long number = id.matches("\\d{1,18}") ? Long.parseLong(id) : 0;
        return gate.ask(() -> jobs.find(number))
                .orElseThrow(
                        () -> new ProblemException(ProblemCode.NOT_FOUND, "there is no such job"));
    }
}
