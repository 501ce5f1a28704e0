package dev.ovation.store.postgres;

import dev.ovation.entity.Reasons;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StartStep;

import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Waits for Postgres, logging each reason once, and migrates the schema. A stop ends the wait.
 * Without Flyway, which its settings can switch off, it only waits.
 */
public final class SchemaMigration implements StartStep {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaMigration.class);
    private static final long RETRY_MILLIS = 200;

    private final DataSource dataSource;
    private final @Nullable Flyway flyway;

    /**
     * Creates the step.
     *
     * @param flyway null when migrations are switched off
     */
    public SchemaMigration(DataSource dataSource, @Nullable Flyway flyway) {
        this.dataSource = dataSource;
        this.flyway = flyway;
    }

    @Override
    public void start() {
        var stop = new Thread(Thread.currentThread()::interrupt);
        Runtime.getRuntime().addShutdownHook(stop); // Spring's waits for the start to end
        try {
            waitForPostgres();
        } finally {
            forget(stop);
        }
        if (flyway != null) {
            flyway.migrate();
        }
    }

    @Override
    public int getPhase() {
        return StartPhase.SCHEMA;
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("It is running already", e);
        }
    }

    private void waitForPostgres() {
        var reasons = new Reasons();
        while (true) {
            try (Connection _ = dataSource.getConnection()) {
                return;
            } catch (SQLException e) {
                String reason = PostgresReason.of(e);
                if (reasons.add(reason)) {
                    LOG.warn("Waiting for Postgres: {}", reason);
                }
            }
            try {
                Thread.sleep(RETRY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("stopped while waiting for Postgres", e);
            }
        }
    }
}
