package dev.ovation.bench;

import dev.ovation.testing.BaseBackup;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * A standby of the benchmarks' Postgres: {@code <jdbc url> <data folder> <folder of the standby>}.
 * Prints its address, and stops it at SIGTERM.
 */
final class Standby {

    private Standby() {}

    public static void main(String... arguments)
            throws SQLException, IOException, InterruptedException {
        var primary = URI.create(arguments[0].replaceFirst("^jdbc:", ""));
        String password = System.getenv("SPRING_DATASOURCE_PASSWORD");
        Path folder = Path.of(arguments[2]);
        try (var connection = Servers.connect(arguments[0])) {
            BaseBackup.standby(
                    connection,
                    Path.of(arguments[1]),
                    folder,
                    "host=%s port=%d user=postgres password=%s application_name=standby"
                            .formatted(primary.getHost(), primary.getPort(), password));
        }
        var standby =
                EmbeddedPostgres.builder()
                        .setDataDirectory(folder)
                        .setCleanDataDirectory(false)
                        .setConnectConfig("password", password)
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("hot_standby_feedback", "on")
                        .start();
        IO.println("standby jdbc:postgresql://127.0.0.1:" + standby.getPort() + primary.getPath());
        Thread.currentThread().join();
    }
}
