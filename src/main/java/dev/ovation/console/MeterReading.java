package dev.ovation.console;

import dev.ovation.entity.Micros;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Meters at one time. Counts are those since the start.
 *
 * @param nanos time of the reading on a clock that only grows
 * @param failures answers with a 5xx
 * @param oldest age of the oldest change in the outbox, in seconds
 */
record MeterReading(
        long nanos,
        RequestTimes reads,
        RequestTimes writes,
        double failures,
        TimeCounts lag,
        double outbox,
        double oldest,
        double watchers) {

    private static final double P99 = 0.99;
    private static final String STREAM = "/reactions/stream";
    private static final Set<String> WRITES = Set.of("/reactions", "/reactions/batch");
    private static final Set<String> WRITING = Set.of("POST", "PUT", "DELETE");

    /**
     * Times of requests.
     *
     * @param all of all answers, whose buckets differ
     * @param successful of answers with a 2xx
     */
    private record RequestTimes(TimeCounts all, TimeCounts successful) {

        RequestTimes() {
            this(new TimeCounts(), new TimeCounts());
        }

        void add(Timer timer) {
            all.add(timer);
            if ("SUCCESS".equals(timer.getId().getTag("outcome"))) {
                successful.add(timer);
            }
        }
    }

    /** Reads the meters of an instance; a meter that is not registered counts as 0. */
    static MeterReading of(MeterRegistry registry, long nanos) {
        var reads = new RequestTimes();
        var writes = new RequestTimes();
        double failures = 0;
        for (Timer timer : registry.find("http.server.requests").timers()) {
            String uri = String.valueOf(timer.getId().getTag("uri"));
            String method = String.valueOf(timer.getId().getTag("method"));
            if (WRITES.contains(uri) && WRITING.contains(method)) {
                writes.add(timer);
            } else if (uri.startsWith("/reactions") && isRead(method, uri)) {
                reads.add(timer);
            }
            if ("SERVER_ERROR".equals(timer.getId().getTag("outcome"))) {
                failures += timer.count();
            }
        }
        var lag = new TimeCounts();
        registry.find("ovation.commit.lag").timers().forEach(lag::add);
        TimeGauge oldest = registry.find("ovation.outbox.oldest").timeGauge();
        return new MeterReading(
                nanos,
                reads,
                writes,
                failures,
                lag,
                value(registry, "ovation.outbox.length"),
                oldest == null ? 0 : oldest.value(TimeUnit.SECONDS),
                value(registry, "ovation.live.watchers"));
    }

    private static boolean isRead(String method, String uri) {
        return !uri.equals(STREAM) && (method.equals("GET") || uri.endsWith("/query"));
    }

    private static double value(MeterRegistry registry, String name) {
        Gauge gauge = registry.find(name).gauge();
        return gauge == null || Double.isNaN(gauge.value()) ? 0 : gauge.value();
    }

    /** Compares this reading with an earlier one; {@code at} is the time of this one. */
    SeriesSample since(MeterReading before, Instant at) {
        double seconds = Math.max(nanos - before.nanos, 1) / 1e9;
        return new SeriesSample(
                Micros.text(ChronoUnit.MICROS.between(Instant.EPOCH, at)),
                reads.all.countSince(before.reads.all) / seconds,
                writes.all.countSince(before.writes.all) / seconds,
                Math.max(failures - before.failures, 0) / seconds,
                reads.successful.quantileSince(before.reads.successful, P99),
                writes.successful.quantileSince(before.writes.successful, P99),
                lag.quantileSince(before.lag, P99),
                outbox,
                oldest,
                watchers);
    }
}
