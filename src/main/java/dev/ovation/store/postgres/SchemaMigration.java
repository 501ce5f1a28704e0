package dev.ovation.store.postgres;

import dev.ovation.entity.Reasons;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StartStep;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Waits for Postgres, logging each reason once, and migrates the schema. Without Flyway, which its
 * settings can switch off, it waits until command {@code migrate} has migrated the schema. A stop
 * ends each wait.
 */
public final class SchemaMigration implements StartStep {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaMigration.class);
    private static final long RETRY_MILLIS = 200;

    /** SQLSTATE of a statement that waited for a lock for too long. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Tries of a migration that does not get its locks; with the waits they take two minutes. */
    private static final int TRIES = 60;

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

    /** A look at Postgres: returns the reason to wait; null for none. */
    private interface Look {
        @Nullable String at(Connection connection) throws SQLException;
    }

    @Override
    public void start() {
        var stop = new Thread(Thread.currentThread()::interrupt);
        Runtime.getRuntime().addShutdownHook(stop); // Spring's waits for the start to end
        try {
            if (flyway == null) {
                String needed = SchemaVersion.needed();
                await(connection -> SchemaVersion.isMissing(connection, needed));
            } else {
                await(_ -> null);
                migrate(flyway);
            }
            SessionTimeouts.check(dataSource);
        } finally {
            forget(stop);
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

    private void await(Look look) {
        var reasons = new Reasons();
        while (true) {
            String reason;
            try (Connection connection = dataSource.getConnection()) {
                reason = look.at(connection);
            } catch (SQLException e) {
                reason = PostgresReason.of(e);
            }
            if (reason == null) {
                return;
            }
            if (reasons.add(reason)) {
                LOG.warn("Waiting for Postgres: {}", reason);
            }
            pause();
        }
    }

    /** A migration is one transaction, so a try without its locks has changed nothing. */
    private void migrate(Flyway flyway) {
        DataSource migrations = flyway.getConfiguration().getDataSource();
        if (PooledMigrations.isPooled(migrations)) {
            validate(flyway);
            return;
        }
        var owners = new PartitionOwners(migrations, dataSource);
        for (int i = 1; ; i++) {
            try {
                owners.restore();
                flyway.migrate();
                owners.restore(); // an instance of 0.1.0 may have begun a period meanwhile
                return;
            } catch (FlywayException | DataAccessException e) {
                if (i == TRIES || !isWithoutLock(e)) {
                    throw e;
                }
                LOG.warn("A migration waits for a lock; try {} of {} follows", i + 1, TRIES);
                pause();
            }
        }
    }

    /**
     * A start without a migration needs no lock. It fails like any other if a migration has changed
     * since it ran. The time-out of locks is left out: it would stay in a session of the pooler.
     */
    private static void validate(Flyway migrating) {
        var settings = migrating.getConfiguration();
        Flyway flyway =
                Flyway.configure(settings.getClassLoader())
                        .configuration(settings)
                        .initSql(null)
                        .load();
        if (flyway.info().pending().length > 0) {
            throw new IllegalStateException(
                    "Migrations are refused through a pooler, because they lock by their session:"
                            + " set SPRING_FLYWAY_URL to a direct address of Postgres, with"
                            + " SPRING_FLYWAY_USER and SPRING_FLYWAY_PASSWORD");
        }
        if (settings.isValidateOnMigrate()) {
            flyway.validate();
        }
        LOG.info("No migration is pending; through a pooler no rights are granted");
    }

    private static boolean isWithoutLock(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while waiting for Postgres", e);
        }
    }
}
