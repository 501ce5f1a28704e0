package dev.ovation.reaction;

import dev.ovation.web.Answer;
import dev.ovation.web.HotController;
import dev.ovation.web.HotRoute;
import dev.ovation.web.Problems;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** {@code /reactions}: what the older service offered, byte for byte, and what came since. */
@Controller
final class ReactionController implements HotController {

    private static final String REPRESENTATION = "return=representation";

    private final Reactions reactions;
    private final RequestReader reader;
    private final QueryReader queryReader;
    private final String forEverybody;

    private record Representation(
            String status,
            String outcome,
            List<String> added,
            List<String> removed,
            EntityJson entity) {}

    ReactionController(
            Reactions reactions,
            @Value("${ovation.http.max-body}") DataSize maxBody,
            @Value("${ovation.near-cache.max-age}") Duration maxAge) {
        this.reactions = reactions;
        this.reader = new RequestReader(maxBody.toBytes());
        this.queryReader = new QueryReader(maxBody.toBytes());
        this.forEverybody = "public, max-age=" + maxAge.toSeconds();
    }

    @Override
    public List<HotRoute> hotRoutes() {
        return List.of(
                new HotRoute("GET", "/reactions", this::read),
                new HotRoute("POST", "/reactions", this::add),
                new HotRoute("DELETE", "/reactions", this::remove),
                new HotRoute("POST", "/reactions/query", this::query));
    }

    @GetMapping("/reactions")
    Answer read(HttpServletRequest request) {
        RequestReader.Read wish = reader.read(request);
        EntityView view = reactions.read(wish.namespace(), wish.entity(), wish.user());
        return cached(view.answer(wish.details()), wish.user(), view.ageSeconds(), request);
    }

    @PostMapping("/reactions/query")
    Answer query(HttpServletRequest request) throws IOException {
        Problems.onlyReads(request);
        EntityQuery query = queryReader.read(request);
        List<EntityView> views = reactions.read(query);
        long age = views.stream().mapToLong(EntityView::ageSeconds).max().orElse(0);
        return cached(Answer.ofJson(ScreenJson.bytes(query, views)), query.viewer(), age, request);
    }

    @PostMapping("/reactions")
    Answer add(HttpServletRequest request) throws IOException {
        return write(reader.add(request), request);
    }

    @DeleteMapping("/reactions")
    Answer remove(HttpServletRequest request) throws IOException {
        return write(reader.remove(request), request);
    }

    private Answer cached(
            Answer answer, @Nullable String user, long ageSeconds, HttpServletRequest request) {
        if (user != null) {
            answer.header("Cache-Control", "private, no-cache");
        } else {
            answer.header("Cache-Control", forEverybody);
            answer.header("Age", Long.toString(ageSeconds));
        }
        return answer.conditional(request);
    }

    private Answer write(Command command, HttpServletRequest request) {
        boolean withState = wantsRepresentation(request);
        WriteResult result = reactions.write(command, withState);
        if (!withState) {
            return Answer.json(Map.of("status", "ok"));
        }
        var body =
                new Representation(
                        "ok",
                        result.applied() ? "applied" : "unchanged",
                        result.added(),
                        result.removed(),
                        EntityJson.detailed(result.entity()));
        return Answer.json(body).header("Preference-Applied", REPRESENTATION);
    }

    /** The first {@code return} preference counts; its own parameters, after a ;, do not. */
    private static boolean wantsRepresentation(HttpServletRequest request) {
        for (String header : Collections.list(request.getHeaders("Prefer"))) {
            for (String preference : header.split(",", -1)) {
                String wish = preference.split(";", 2)[0].replaceAll("[\\s\"]", "");
                if (wish.regionMatches(true, 0, "return=", 0, "return=".length())) {
                    return wish.equalsIgnoreCase(REPRESENTATION);
                }
            }
        }
        return false;
    }
}
