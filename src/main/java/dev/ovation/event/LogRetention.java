package dev.ovation.event;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;
import dev.ovation.store.log.LogState;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;

import java.time.Duration;

/** Drops changes that are past their retention, and closes a log that is not read. */
class LogRetention implements BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(LogRetention.class);

    /** Changes are dropped by periods; this many periods make up their retention. */
    private static final int PERIODS = 7;

    private final LogState state;
    private final Duration retention;

    LogRetention(LogState state, Duration retention) {
        this.state = state;
        this.retention = retention;
    }

    @Override
    public String name() {
        return "old-changes";
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(1);
    }

    @Override
    public StepResult step(Turn turn) {
        try {
            state.turn(retention.dividedBy(PERIODS), retention);
            if (state.closeIfUnread(retention)) {
                LOG.info(
                        "Changes are not logged any more: no consumer read them for {}", retention);
            }
        } catch (PessimisticLockingFailureException e) {
            LOG.info("The log of changes is locked; its period is turned in the next interval");
        }
        return StepResult.DONE;
    }
}
