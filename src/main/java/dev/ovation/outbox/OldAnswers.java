package dev.ovation.outbox;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.RejectedEvents;

import java.time.Duration;

/** Forgets answers and rejected events that are too old, a little at a time. */
class OldAnswers implements BackgroundWork {

    /** Rows that one transaction deletes, at most. */
    private static final int STEP = 1000;

    private static final Duration KEEP_REJECTED = Duration.ofDays(7);

    private final IdempotencyTable idempotency;
    private final RejectedEvents rejections;
    private final Duration keepAnswers;

    OldAnswers(IdempotencyTable idempotency, RejectedEvents rejections, OutboxSettings settings) {
        this.idempotency = idempotency;
        this.rejections = rejections;
        this.keepAnswers = settings.keepAnswers();
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
        int deleted =
                idempotency.deleteOlderThan(keepAnswers, STEP)
                        + rejections.deleteOlderThan(KEEP_REJECTED, STEP);
        return deleted >= STEP ? StepResult.MORE : StepResult.DONE;
    }
}
