package dev.ovation.store.postgres;

import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;

/** Compares the migrations in the jar with those that Postgres has. */
final class SchemaVersion {

    private static final Pattern FILE = Pattern.compile("V([0-9_.]+)__.*");

    private SchemaVersion() {}

    /** Returns the newest version in the jar. */
    static String needed() {
        try {
            return Arrays.stream(
                            new PathMatchingResourcePatternResolver()
                                    .getResources("classpath:db/migration/V*.sql"))
                    .map(Resource::getFilename)
                    .map(Objects::requireNonNull)
                    .map(FILE::matcher)
                    .filter(name -> name.matches())
                    .map(name -> MigrationVersion.fromVersion(name.group(1)))
                    .max(MigrationVersion::compareTo)
                    .orElseThrow()
                    .getVersion();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns why the service cannot use the schema; null when it has the needed version or a newer
     * one.
     */
    static @Nullable String isMissing(Connection connection, String needed) throws SQLException {
        String found = found(connection);
        if (found != null
                && MigrationVersion.fromVersion(found)
                                .compareTo(MigrationVersion.fromVersion(needed))
                        >= 0) {
            return null;
        }
        return "the schema has %s, this program needs %s; run the command migrate"
                .formatted(found == null ? "no version" : "version " + found, needed);
    }

    /** Returns the newest version in Postgres; null when it has no schema yet. */
    private static @Nullable String found(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            try (var table =
                    statement.executeQuery(
                            "select to_regclass('flyway_schema_history') is not null")) {
                if (!table.next() || !table.getBoolean(1)) {
                    return null;
                }
            }
            try (var rows =
                    statement.executeQuery(
                            """
                            select version from flyway_schema_history
                            where  success and version is not null
                            order  by installed_rank desc limit 1
                            """)) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }
}
