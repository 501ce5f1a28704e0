package dev.ovation.event;

import dev.ovation.store.log.LogPositions;
import dev.ovation.store.log.LogReader;
import dev.ovation.store.log.LogReader.ExpiredException;
import dev.ovation.store.log.LogRow;
import dev.ovation.store.log.LogState;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Pages of the log of changes, for readers that may wait for the next one. */
final class EventFeed implements ApplicationListener<ContextClosedEvent> {

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Reads of one page; a page without a row that passes the filter moves the cursor, too. */
    private static final int READS = 20;

    private final LogReader reader;
    private final LogState state;
    private final LogEnd end;
    private final PostgresBulkhead gate;
    private volatile boolean stopping;

    EventFeed(LogReader reader, LogState state, LogEnd end, PostgresBulkhead gate) {
        this.reader = reader;
        this.state = state;
        this.end = end;
        this.gate = gate;
    }

    /** Ends all waits, so that a stop need not wait for them. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        stopping = true;
    }

    /** A page: its rows, and the place after them. */
    record EventPage(List<LogRow> rows, LogPositions next) {}

    /**
     * Returns the next rows that pass a filter. The first read opens the log.
     *
     * @param from null for the first row that is kept
     * @param wait time to wait for a row
     * @throws dev.ovation.web.problem.ProblemException 410 when rows after the place are missing
     */
    EventPage next(@Nullable LogPositions from, Predicate<LogRow> filter, int limit, Duration wait)
            throws InterruptedException {
        if (!gate.ask(state::touch)) {
            gate.ask(
                    () -> {
                        state.open();
                        return true;
                    });
        }
        LogPositions place = from == null ? gate.ask(reader::start) : from.copy();
        long now = System.nanoTime();
        long until = now + wait.toNanos();
        var rows = new ArrayList<LogRow>();
        LogPositions last = end.since(now);
        for (int reads = 0; ; ) {
            List<LogRow> read = read(place, last, limit - rows.size());
            read.stream().filter(filter).forEach(rows::add);
            reads++;
            boolean more = place.to(last) > 0;
            if (rows.size() == limit || (more ? reads >= READS : !rows.isEmpty())) {
                return new EventPage(rows, place);
            }
            if (!more) {
                long left = until - System.nanoTime();
                if (left <= 0 || stopping) {
                    return new EventPage(rows, place);
                }
                Thread.sleep(Duration.ofNanos(Math.min(left, PAUSE.toNanos())));
                last = end.since(System.nanoTime() - PAUSE.toNanos());
            }
        }
    }

    private List<LogRow> read(LogPositions place, LogPositions last, int limit) {
        return gate.ask(
                () -> {
                    try {
                        return reader.read(place, last, limit);
                    } catch (ExpiredException e) {
                        throw Problems.cursorExpired();
                    }
                });
    }
}
