package dev.ovation.reaction;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.limit.Caller;
import dev.ovation.limit.SharedCaching;
import dev.ovation.reaction.view.EntityJson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.ScreenJson;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.IfMatch;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.web.DirectController;
import dev.ovation.web.DirectRoute;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.ProblemCounter;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.request.Prefer;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code /reactions}: the requests of the older service, byte for byte, and later additions. */
@Controller
final class ReactionController implements DirectController {

    private static final String REPRESENTATION = "return=representation";

    private final ReactionCalls calls;
    private final RequestReader reader;
    private final QueryReader queryReader;
    private final BatchReader batchReader;
    private final SharedCaching counts;

    private record Representation(
            String status,
            String outcome,
            List<String> added,
            List<String> removed,
            @Nullable List<String> unchanged,
            EntityJson entity) {}

    private record Results(List<OperationJson> results) {}

    private record OperationJson(String outcome, @Nullable Map<String, Object> problem) {}

    ReactionController(
            ReactionCalls calls,
            @Value("${ovation.http.max-body}") DataSize maxBody,
            @Value("${ovation.near-cache.max-age}") Duration nearCache,
            @Value("${ovation.http.counts-max-age}") Duration maxAge) {
        this.calls = calls;
        this.reader = new RequestReader(maxBody.toBytes());
        this.queryReader = new QueryReader(maxBody.toBytes());
        this.batchReader = new BatchReader(maxBody.toBytes());
        this.counts = new SharedCaching(maxAge.compareTo(nearCache) < 0 ? nearCache : maxAge);
    }

    @Override
    public List<DirectRoute> hotRoutes() {
        return List.of(
                new DirectRoute("GET", "/reactions", Scope.REACTIONS_READ, this::read),
                new DirectRoute("POST", "/reactions", Scope.REACTIONS_WRITE, this::add),
                new DirectRoute("DELETE", "/reactions", Scope.REACTIONS_WRITE, this::remove),
                new DirectRoute("PUT", "/reactions", Scope.REACTIONS_WRITE, this::put),
                new DirectRoute("POST", "/reactions/batch", Scope.REACTIONS_WRITE, this::batch),
                new DirectRoute("POST", "/reactions/query", Scope.REACTIONS_READ, this::query));
    }

    @GetMapping("/reactions")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer read(HttpServletRequest request) {
        var found = calls.read(RequestReader.query(request), Caller.of(request));
        EntityView view = found.view();
        if (found.people() == null) {
            return cached(
                    view.answer(found.details()), found.isOfViewer(), view.ageSeconds(), request);
        }
        byte[] json = ScreenJson.bytes(view, found.details(), found.people());
        // Shared caches do not keep an answer that may name users.
        return HttpAnswer.ofJson(json)
                .header("Cache-Control", "private, no-cache")
                .conditional(request);
    }

    @PostMapping("/reactions/query")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer query(HttpServletRequest request) throws IOException {
        var found = calls.query(queryReader.read(request), Caller.of(request));
        long age = found.views().stream().mapToLong(EntityView::ageSeconds).max().orElse(0);
        byte[] json =
                ScreenJson.bytes(found.query(), found.views(), found.reactors(), found.people());
        return cached(HttpAnswer.ofJson(json), found.query().viewer() != null, age, request);
    }

    @PostMapping("/reactions")
    @RequiresScope(Scope.REACTIONS_WRITE)
    HttpAnswer add(HttpServletRequest request) throws IOException {
        return write(reader.add(request), request);
    }

    @DeleteMapping("/reactions")
    @RequiresScope(Scope.REACTIONS_WRITE)
    HttpAnswer remove(HttpServletRequest request) throws IOException {
        return write(reader.remove(request), request);
    }

    /** {@code PUT} of a whole set. */
    @PutMapping("/reactions")
    @RequiresScope(Scope.REACTIONS_WRITE)
    HttpAnswer put(HttpServletRequest request) throws IOException {
        Completed result = write(reader.put(request), true, request);
        HttpAnswer answer = HttpAnswer.json(representation(result, result.unchanged()));
        if (wantsRepresentation(request)) {
            answer.header("Preference-Applied", REPRESENTATION);
        }
        return about(result, answer);
    }

    @PostMapping("/reactions/batch")
    @RequiresScope(Scope.REACTIONS_WRITE)
    HttpAnswer batch(HttpServletRequest request) throws IOException {
        BatchReader.CommandBatch batch = batchReader.read(request);
        int operations = batch.refusals().size();
        List<WriteOutcome> outcomes =
                batch.outcomes(calls.write(operations, batch.commands(), Caller.of(request)));
        for (WriteOutcome outcome : outcomes) {
            if (outcome instanceof WriteOutcome.Problematic failed) {
                ProblemCounter.note(request, failed.problem());
            }
        }
        return HttpAnswer.json(
                new Results(outcomes.stream().map(ReactionController::result).toList()));
    }

    private static OperationJson result(WriteOutcome outcome) {
        return switch (outcome) {
            case Completed done -> new OperationJson(done.label(), null);
            case WriteOutcome.Problematic failed ->
                    new OperationJson(
                            failed.problem().outcome() == ProblemException.WriteStatus.UNKNOWN
                                    ? "unknown"
                                    : "refused",
                            failed.problem().body());
        };
    }

    private HttpAnswer cached(
            HttpAnswer answer, boolean ofViewer, long ageSeconds, HttpServletRequest request) {
        if (ofViewer) {
            answer.header("Cache-Control", "private, no-cache");
        } else {
            counts.mark(answer, request).header("Age", Long.toString(ageSeconds));
        }
        return answer.conditional(request);
    }

    private HttpAnswer write(Command command, HttpServletRequest request) {
        boolean withState = wantsRepresentation(request);
        Completed result = write(command, withState, request);
        if (!withState) {
            return replayed(result, HttpAnswer.json(Map.of("status", "ok")));
        }
        HttpAnswer answer = HttpAnswer.json(representation(result, null));
        return about(result, answer.header("Preference-Applied", REPRESENTATION));
    }

    /** The tag of an answer with the entity is that of a later {@code GET} with details. */
    private static HttpAnswer about(Completed result, HttpAnswer answer) {
        return replayed(result, answer.header("ETag", IfMatch.tag(result.entity())));
    }

    private static HttpAnswer replayed(Completed result, HttpAnswer answer) {
        return result.replayed() ? answer.header("Idempotency-Replayed", "true") : answer;
    }

    private Completed write(Command command, boolean withState, HttpServletRequest request) {
        return calls.write(command, withState, ReactionCalls.ANY_TIME, Caller.of(request));
    }

    private static Representation representation(
            Completed result, @Nullable List<String> unchanged) {
        return new Representation(
                "ok",
                result.label(),
                result.added(),
                result.removed(),
                unchanged,
                EntityJson.detailed(result.entity()));
    }

    private static boolean wantsRepresentation(HttpServletRequest request) {
        return "representation".equalsIgnoreCase(Prefer.value(request, "return"));
    }
}
