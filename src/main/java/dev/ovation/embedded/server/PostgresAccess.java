package dev.ovation.embedded.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * Access to the embedded Postgres, by the password in its folder. Data of earlier releases admit
 * every user of the machine; the next start of this release changes that.
 */
final class PostgresAccess {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresAccess.class);
    private static final String TRUST = "\\btrust\\s*$";
    private static final String BY_PASSWORD = "scram-sha-256";

    private final Path file;
    private final Path data;
    private final Path rules;

    /**
     * Prepares the access to a server.
     *
     * @param folder folder of the password
     * @param data data folder of the server, which may not exist yet
     */
    PostgresAccess(Path folder, Path data) {
        this.file = folder.resolve("password");
        this.data = data;
        this.rules = data.resolve("pg_hba.conf");
    }

    /** Returns the file of the password. */
    Path passwordFile() {
        return file;
    }

    /**
     * Returns the password; the first call creates a random one.
     *
     * @throws IOException when the data require a password and its file is missing
     */
    String password() throws IOException {
        if (Files.exists(data) && !Files.exists(file) && !trusts()) {
            throw new IOException(
                    "the password in %s is missing; put the file back, or delete %s with all its data"
                            .formatted(file, data));
        }
        return Password.kept(file);
    }

    /** Returns whether a rule admits a user without a password. */
    private boolean trusts() throws IOException {
        return lines().stream().anyMatch(PostgresAccess::trusts);
    }

    private static boolean trusts(String rule) {
        return !rule.startsWith("#") && rule.matches(".*" + TRUST);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(rules, StandardCharsets.ISO_8859_1);
    }

    /**
     * Makes a running server of an earlier release require the password from now on. A start that
     * is killed in between leaves the old rules or a password that is set; the next start
     * continues.
     *
     * @param url URL of the server, with the password already unless the server admits every user
     */
    void requirePassword(String url) throws IOException {
        if (!trusts()) {
            return;
        }
        String password = password();
        try (var connection = DriverManager.getConnection(url, EmbeddedPostgres.USER, password);
                var statement = connection.createStatement()) {
            // The password has letters, digits, - and _ only, so it needs no escapes.
            statement.execute(
                    "alter role %s password '%s'".formatted(EmbeddedPostgres.USER, password));
            List<String> closed =
                    lines().stream()
                            .map(
                                    rule ->
                                            trusts(rule)
                                                    ? rule.replaceFirst(TRUST, BY_PASSWORD)
                                                    : rule)
                            .toList();
            Password.write(rules, String.join("\n", closed));
            statement.execute("select pg_reload_conf()");
        } catch (SQLException e) {
            throw new IOException("its password cannot be set: " + e.getMessage(), e);
        }
        LOG.info(
                "The embedded Postgres of an earlier release trusted every user of this machine;"
                        + " from now on it asks for the password in {}",
                file);
    }
}
