package dev.ovation.console;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.List;
import java.util.UUID;

/** {@code GET /console/series}: the last hour of the instance that answers. */
@Controller
final class SeriesController {

    /** Distinguishes the instances behind a balancer; new at each start. */
    private final String instance = UUID.randomUUID().toString();

    private final SeriesRecorder recorder;

    SeriesController(SeriesRecorder recorder) {
        this.recorder = recorder;
    }

    private record SeriesJson(
            String instanceId, double intervalSeconds, List<SeriesSample> samples) {}

    @GetMapping("/console/series")
    @RequiresScope(Scope.OPERATE)
    HttpAnswer series(HttpServletRequest request) {
        QueryString.none(request);
        double interval = recorder.interval().toMillis() / 1000.0;
        return HttpAnswer.json(new SeriesJson(instance, interval, recorder.samples()));
    }
}
