package dev.ovation.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ovation.entity.TimeBuckets;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

class SeriesRecorderTest {

    private static final Instant START = Instant.parse("2025-11-21T10:00:00Z");
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final SeriesRecorder recorder = new SeriesRecorder(registry, INTERVAL);
    private int readings;

    /** Reads the meters an interval after the last time. */
    private void read() {
        Duration since = INTERVAL.multipliedBy(readings++);
        recorder.read(START.plus(since), since.toNanos());
    }

    private SeriesSample newest() {
        return recorder.samples().getLast();
    }

    private void requests(int number, String method, String uri, String outcome, long millis) {
        Timer timer =
                Timer.builder("http.server.requests")
                        .tags("method", method, "uri", uri, "outcome", outcome)
                        .serviceLevelObjectives(TimeBuckets.of(TimeBuckets.REQUESTS))
                        .register(registry);
        for (int i = 0; i < number; i++) {
            timer.record(millis, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void aSampleNeedsTwoReadings() {
        assertThat(recorder.samples()).isEmpty();
        read();
        assertThat(recorder.samples()).isEmpty();
        read();
        assertThat(recorder.samples()).hasSize(1);
        assertThat(newest().at()).isEqualTo("2025-11-21T10:00:10.000Z");
    }

    @Test
    void ratesCountWhatCameBetweenTwoReadings() {
        requests(377, "GET", "/reactions", "SUCCESS", 1);
        requests(377, "POST", "/reactions", "SUCCESS", 1);
        read();
        requests(20, "GET", "/reactions", "SUCCESS", 1);
        requests(10, "POST", "/reactions/query", "SUCCESS", 1);
        requests(7, "POST", "/reactions", "SUCCESS", 1);
        requests(2, "DELETE", "/reactions", "CLIENT_ERROR", 1);
        requests(1, "POST", "/reactions/batch", "SERVER_ERROR", 1);
        requests(50, "HEAD", "/reactions", "CLIENT_ERROR", 1);
        requests(4, "GET", "/users", "SERVER_ERROR", 1);
        requests(100, "GET", "/reactions/stream", "SUCCESS", 60_000);
        read();
        assertThat(newest().readsPerSecond()).isEqualTo(3.0);
        assertThat(newest().writesPerSecond()).isEqualTo(1.0);
        assertThat(newest().failuresPerSecond()).isEqualTo(0.5);
    }

    @Test
    void aPercentileIsEstimatedWithinItsBucket() {
        read();
        requests(98, "GET", "/reactions", "SUCCESS", 4);
        requests(2, "GET", "/reactions", "SUCCESS", 40);
        read();
        // The 99th of 100 is the first of two in the bucket from 25 to 50 ms.
        assertThat(newest().readP99Seconds()).isCloseTo(0.0375, within(1e-9));
    }

    @Test
    void aPercentileKnowsNeitherEarlierNorFailedRequests() {
        requests(1000, "POST", "/reactions", "SUCCESS", 4);
        read();
        requests(100, "POST", "/reactions", "SUCCESS", 40);
        requests(1000, "POST", "/reactions", "SERVER_ERROR", 2000);
        read();
        assertThat(newest().writeP99Seconds()).isBetween(0.025, 0.05);
    }

    @Test
    void timesAboveTheLastBoundCountAsTheBound() {
        read();
        requests(5, "GET", "/reactions", "SUCCESS", 60_000);
        read();
        assertThat(newest().readP99Seconds()).isEqualTo(2.5);
    }

    @Test
    void withoutTimesThereIsNoPercentile() {
        requests(5, "GET", "/reactions", "SUCCESS", 1);
        read();
        read();
        assertThat(newest().readP99Seconds()).isNull();
        assertThat(newest().writeP99Seconds()).isNull();
        assertThat(newest().commitLagP99Seconds()).isNull();
        assertThat(newest().readsPerSecond()).isZero();
    }

    @Test
    void gaugesAreThoseOfTheSecondReading() {
        var events = new AtomicLong();
        Gauge.builder("ovation.outbox.length", events::get).baseUnit("events").register(registry);
        Gauge.builder("ovation.live.watchers", events::get).register(registry);
        TimeGauge.builder("ovation.outbox.oldest", events::get, TimeUnit.MICROSECONDS)
                .register(registry);
        read();
        events.set(250);
        read();
        assertThat(newest().outboxEvents()).isEqualTo(250);
        assertThat(newest().watchers()).isEqualTo(250);
        assertThat(newest().outboxOldestSeconds()).isCloseTo(0.00025, within(1e-9));
    }

    @Test
    void onlyTheLastHourIsKept() {
        for (int i = 0; i < 1 + SeriesRecorder.MOST + 17; i++) {
            read();
        }
        assertThat(recorder.samples()).hasSize(SeriesRecorder.MOST);
        assertThat(recorder.samples().getFirst().at()).isEqualTo("2025-11-21T10:03:00.000Z");
        assertThat(newest().at()).isEqualTo("2025-11-21T11:02:50.000Z");
    }
}
