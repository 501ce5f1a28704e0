package dev.ovation.audit;

import dev.ovation.audit.Auditor.AuditRequest;
import dev.ovation.audit.Auditor.Report;
import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;
import dev.ovation.hot.link.RedisUnavailableException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** Audits some entities each second, without repairs. */
class AuditJob implements BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(AuditJob.class);

    /** Greatest number of entities that one step audits. */
    private static final int STEP = 10;

    /**
     * Time after which a step starts no further entity, because high-cardinality entities take
     * long.
     */
    private static final Duration PATIENCE = Duration.ofMillis(20);

    private final Auditor auditor;
    private final int rate;
    private int left;

    AuditJob(Auditor auditor, int rate) {
        this.auditor = auditor;
        this.rate = rate;
        this.left = rate;
    }

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(1);
    }

    @Override
    public boolean isEnabled() {
        return rate > 0;
    }

    @Override
    public StepResult step(Turn turn) throws InterruptedException {
        int wanted = Math.min(left, STEP);
        var report = new Report();
        boolean whole;
        try {
            whole =
                    auditor.goOn(
                            new AuditRequest("", null, wanted, false, PATIENCE, turn::rest, null),
                            report);
        } catch (RedisUnavailableException e) {
            LOG.debug("No audit now: {}", e.getMessage());
            return StepResult.DONE;
        }
        left -= report.checked;
        if (left > 0 && !(whole && report.checked < wanted)) {
            return StepResult.MORE;
        }
        left = rate; // the requested number is audited, or no entity is left
        return StepResult.DONE;
    }
}
