package dev.ovation.strategies;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Refreshes the view of {@link AsyncJoin} on a timer, and at the end reports the age of counts. */
final class Refresher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Refresher.class);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AsyncJoin strategy;
    private final Staleness staleness;
    private final String report;

    /**
     * Starts the timer.
     *
     * @param every from the begin of one refresh to that of the next
     * @param report the file of the report; empty for none
     */
    Refresher(AsyncJoin strategy, Staleness staleness, Duration every, String report) {
        this.strategy = strategy;
        this.staleness = staleness;
        this.report = report;
        var _ =
                timer.scheduleAtFixedRate(
                        this::refresh, 0, every.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void refresh() {
        try {
            strategy.refresh();
        } catch (DataAccessException e) {
            LOG.warn("The view was not refreshed: {}", e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        String summary = staleness.summary();
        LOG.info("Counts as served: {}", summary);
        if (!report.isEmpty()) {
            Files.writeString(Path.of(report), summary);
        }
    }
}
