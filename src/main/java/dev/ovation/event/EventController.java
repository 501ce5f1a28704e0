package dev.ovation.event;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.entity.EntityKey;
import dev.ovation.event.EventFeed.EventPage;
import dev.ovation.store.log.LogPositions;
import dev.ovation.store.log.LogRow;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.PageCursor;
import dev.ovation.web.request.PageLimit;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code GET /events}: committed changes, in order for each entity. */
@Controller
final class EventController {

    private static final int MOST_READERS = 200;
    private static final int LONGEST_WAIT = 30;
    private static final int RADIX = Character.MAX_RADIX;

    private final EventFeed feed;
    private final EventJson json;
    private final Bulkhead readers =
            new Bulkhead("readers of events", MOST_READERS, Duration.ofSeconds(1));

    EventController(EventFeed feed, EventJson json) {
        this.feed = feed;
        this.json = json;
    }

    private record EventsJson(List<Map<String, Object>> events, String nextCursor) {}

    @GetMapping("/events")
    @RequiresScope(Scope.EVENTS_READ)
    HttpAnswer events(HttpServletRequest request) throws InterruptedException {
        QueryString query = QueryString.of(request, "namespace_id", "cursor", "limit", "wait");
        Principal who = Principal.of(request);
        var violations = new RequestViolations();
        String given = query.nonEmpty("namespace_id");
        String namespace =
                given == null ? null : IdFields.namespace("namespace_id", given, who, violations);
        int limit = PageLimit.of(query, violations);
        Duration wait = wait(query, violations);
        violations.throwIfAny();
        var cursor = PageCursor.of("events", String.valueOf(namespace));
        LogPositions from = cursor.read(query.text("cursor"), EventController::place);
        try (var _ = readers.take()) {
            EventPage page = feed.next(from, row -> isFor(row, who, namespace), limit, wait);
            return HttpAnswer.json(
                    new EventsJson(
                            page.rows().stream().map(json::event).toList(),
                            cursor.at(page.next().generation(), text(page.next()))));
        }
    }

    private static Duration wait(QueryString query, RequestViolations violations) {
        String text = query.text("wait");
        int seconds = text == null ? 0 : text.matches("[0-9]{1,2}") ? Integer.parseInt(text) : -1;
        if (seconds < 0 || seconds > LONGEST_WAIT) {
            violations.add("wait", "must be a number of seconds from 0 to " + LONGEST_WAIT);
        }
        return Duration.ofSeconds(seconds);
    }

    /** The erasure of a user concerns each caller for all namespaces. */
    private static boolean isFor(LogRow row, Principal who, @Nullable String namespace) {
        EntityKey key = row.key();
        if (key == null) {
            return who.mayEnterAll();
        }
        return who.mayEnter(key.namespace())
                && (namespace == null || namespace.equals(key.namespace()));
    }

    private static String text(LogPositions place) {
        return Arrays.stream(place.positions())
                .mapToObj(position -> Long.toString(position, RADIX))
                .collect(Collectors.joining("."));
    }

    private static LogPositions place(List<String> parts) {
        return new LogPositions(
                Integer.parseInt(parts.get(0)),
                Arrays.stream(parts.get(1).split("\\.", -1))
                        .mapToLong(position -> Long.parseLong(position, RADIX))
                        .toArray());
    }
}
