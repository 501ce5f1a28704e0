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
 * Access to the embedded Postgres: it needs the password in its folder. Data of earlier releases
 * trusted every user of the machine; their next start ends that.
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
     * @param folder where the password is kept
     * @param data the server's, which service not be there yet
     */
    PostgresAccess(Path folder, Path data) {
        this.file = folder.resolve("password");
        this.data = data;
        this.rules = data.resolve("pg_hba.conf");
    }

    /** The file that holds the password. */
    Path passwordFile() {
        return file;
    }

    /**
     * Returns the password; a random one is made before the first start with one.
     *
     * @throws IOException when data that needs a password is there without it
     */
    String password() throws IOException {
        if (Files.exists(data) && !Files.exists(file) && !trusts()) {
            throw new IOException(
                    "the password in %s is missing; put the file back, or delete %s with all its data"
                            .formatted(file, data));
        }
        return Password.kept(file);
    }

    /** Whether a rule admits a user without a password. */
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
     * Has a running server that trusts others ask for the password from now on. A start that is
     * killed in between leaves rules that trust, or a password that is set; the next start
     * continues.
     *
     * @param url of the server, which has its password already unless it trusts
     */
    void requirePassword(String url) throws IOException {
        if (!trusts()) {
            return;
        }
        String password = password();
        try (var connection = DriverManager.getConnection(url, EmbeddedPostgres.USER, password);
                var statement = connection.createStatement()) {
            // Of letters, digits, - and _ alone: nothing to escape.
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
