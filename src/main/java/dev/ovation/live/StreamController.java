package dev.ovation.live;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.credential.Credentials;
import dev.ovation.limit.Charge;
import dev.ovation.web.DirectController;
import dev.ovation.web.DirectRoute;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.request.IdFields;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code /reactions/stream}: events of committed states, as {@code text/event-stream}. */
@Controller
final class StreamController implements DirectController {

    private static final String PATH = "/reactions/stream";

    private final Watchers watchers;
    private final Credentials credentials;
    private final StreamRequests reader;

    StreamController(
            Watchers watchers,
            Credentials credentials,
            @Value("${ovation.http.max-body}") DataSize maxBody) {
        this.watchers = watchers;
        this.credentials = credentials;
        this.reader = new StreamRequests(maxBody.toBytes());
    }

    @Override
    public List<DirectRoute> hotRoutes() {
        return List.of(
                new DirectRoute("GET", PATH, Scope.REACTIONS_READ, this::stream),
                new DirectRoute("PUT", PATH, Scope.REACTIONS_READ, this::replace));
    }

    @GetMapping(PATH)
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer stream(HttpServletRequest request) {
        StreamRequests.WatchRequest watch = StreamRequests.read(request);
        Charge.entities(request, "entity_id", watch.keys().size(), watch.user());
        watchers.demand(watch.namespace());
        return HttpAnswer.stream(
                        "text/event-stream", (asked, response) -> begin(watch, asked, response))
                .header("X-Accel-Buffering", "no");
    }

    /** A refusal replaces the headers of a stream, because nothing is sent yet. */
    private void begin(
            StreamRequests.WatchRequest watch,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        Watcher watcher = watchers.open(watch, StreamCredential.of(request, credentials));
        try {
            watchers.connect(watcher, Outlet.begin(request, response, watcher)::pump);
        } catch (RuntimeException | IOException | Error e) {
            watcher.ended();
            throw e;
        }
    }

    @PutMapping(PATH)
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer replace(HttpServletRequest request) throws IOException {
        Problems.onlyReads(request);
        StreamRequests.Replacement watch = reader.replacement(request);
        Watcher watcher = watchers.of(watch.streamId());
        if (watcher == null) {
            throw Problems.unknownStream();
        }
        String user = watcher.user();
        if (user != null) {
            IdFields.actor(user, Principal.of(request));
        }
        Charge.entities(request, "entities", watch.watch().keys().size(), user);
        watchers.replace(watcher, watch.watch());
        return HttpAnswer.json(Map.of("status", "ok"));
    }
}
