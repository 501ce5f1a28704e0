package dev.ovation.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Records the lines of the audit trail from now on. The logging belongs to the whole JVM, and each
 * start of an application configures it anew. Therefore a test with this recorder is isolated, and
 * starts its applications before.
 */
public final class TrailLines implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("ovation.access");
    private final Kept kept = new Kept();

    private static final class Kept extends AppenderBase<ILoggingEvent> {

        private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

        /** Reads the MDC now, because it belongs to the current thread. */
        @Override
        protected void append(ILoggingEvent line) {
            line.prepareForDeferredProcessing();
            lines.add(line);
        }
    }

    public TrailLines() {
        kept.start();
        logger.addAppender(kept);
    }

    /** All lines so far. */
    public List<ILoggingEvent> all() {
        return List.copyOf(kept.lines);
    }

    /** Waits for the first line. */
    public ILoggingEvent first() {
        return Wait.until("a line of the audit trail", this::all, all -> !all.isEmpty()).getFirst();
    }

    @Override
    public void close() {
        logger.detachAppender(kept);
    }
}
