package dev.ovation.audit;

import dev.ovation.audit.Auditor.Order;
import dev.ovation.audit.Auditor.Report;
import dev.ovation.hot.RedisUnavailableException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.TransactionException;

import java.time.Duration;

/** Audits by itself, a little every second, and mends nothing. */
class AuditJob {

    private static final Logger LOG = LoggerFactory.getLogger(AuditJob.class);

    /** Crowded entities take time: the rest of what a second allows is left to the next ones. */
    private static final Duration SHARE = Duration.ofMillis(250);

    private final Auditor auditor;
    private final int rate;

    AuditJob(Auditor auditor, int rate) {
        this.auditor = auditor;
        this.rate = rate;
    }

    @Scheduled(fixedDelay = 1000, initialDelay = 1000)
    void audit() {
        if (rate <= 0) {
            return;
        }
        try {
            auditor.goOn(new Order("", null, rate, false, SHARE), new Report());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RedisUnavailableException | DataAccessException | TransactionException e) {
            LOG.debug("No audit now: {}", e.getMessage());
        }
    }
}
