package dev.ovation.outbox;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;
import dev.ovation.outbox.relay.OutboxSettings;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.postgres.Periods;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;

import java.time.Duration;

/** Deletes answers and rejected events that are past their retention. */
class RetentionJob implements BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(RetentionJob.class);

    /** Greatest number of rows that one transaction deletes. */
    private static final int STEP = 1000;

    /** Rows are dropped by periods; this many periods make up their retention. */
    private static final int PERIODS = 4;

    private static final Duration KEEP_REJECTED = Duration.ofDays(7);

    private final Periods answers;
    private final Periods removals;
    private final RejectedEvents rejections;
    private final Duration answerRetention;
    private final Duration removalRetention;

    RetentionJob(
            Periods answers, Periods removals, RejectedEvents rejections, OutboxSettings settings) {
        this.answers = answers;
        this.removals = removals;
        this.rejections = rejections;
        this.answerRetention = settings.answerRetention();
        this.removalRetention = settings.removalRetention();
    }

    @Override
    public String name() {
        return "old-answers";
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(1);
    }

    @Override
    public StepResult step(Turn turn) {
        int deleted = rejections.deleteOlderThan(KEEP_REJECTED, STEP);
        try {
            answers.turn(answerRetention.dividedBy(PERIODS), answerRetention);
            removals.turn(removalRetention.dividedBy(PERIODS), removalRetention);
        } catch (PessimisticLockingFailureException e) {
            LOG.info("A table is locked; its period is turned in the next interval");
        }
        return deleted >= STEP ? StepResult.MORE : StepResult.DONE;
    }
}
