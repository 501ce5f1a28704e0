package dev.ovation.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The lines of the audit trail from now on. The logging belongs to the whole JVM, and a start of an
 * application sets it up anew: so a test that looks at it is isolated, and starts its applications
 * before.
 */
public final class TrailLines implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("ovation.access");
    private final Kept kept = new Kept();

    private static final class Kept extends AppenderBase<ILoggingEvent> {

        private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

        /** The MDC is that of the thread that asks first. */
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

    /** All that were written so far. */
    public List<ILoggingEvent> all() {
        return List.copyOf(kept.lines);
    }

    /** Waits for the first one. */
    public ILoggingEvent first() {
        return Wait.until("a line of the audit trail", this::all, all -> !all.isEmpty()).getFirst();
    }

    @Override
    public void close() {
        logger.detachAppender(kept);
    }
}
