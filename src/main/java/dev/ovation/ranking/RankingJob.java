package dev.ovation.ranking;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** Lets the ranking follow the counters, about every second; several instances take turns. */
@Component
class RankingJob {

    private static final Logger LOG = LoggerFactory.getLogger(RankingJob.class);

    private final Ranking ranking;

    RankingJob(Ranking ranking) {
        this.ranking = ranking;
    }

    @Scheduled(fixedDelay = 1000, initialDelay = 1000)
    void follow() {
        try {
            boolean more = true;
            while (more) {
                more = ranking.follow();
            }
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The ranking does not follow now: {}", e.getMessage());
        }
    }
}
