package dev.ovation.transfer;

import dev.ovation.store.PostgresReason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Deletes the rows of imports that came to their end, a little at a time. */
class ImportKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(ImportKeeper.class);

    private final ImportRows rows;
    private volatile boolean failing;

    ImportKeeper(ImportRows rows) {
        this.rows = rows;
    }

    @Scheduled(fixedDelay = 5_000, initialDelay = 5_000)
    void tidy() {
        try {
            while (rows.deleteSome()) {
                LOG.debug("Deleted rows of an import that is over");
            }
            if (failing) {
                LOG.info("Rows of old imports are deleted again");
                failing = false;
            }
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("Rows of old imports stay for now: {}", PostgresReason.of(e));
                failing = true;
            }
        }
    }
}
