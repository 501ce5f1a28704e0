package dev.ovation.embedded;

import dev.ovation.embedded.server.DataFolder;
import dev.ovation.embedded.server.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The product's embedded Postgres, which is as durable as any, for measurements that share one. It
 * keeps its data and ends with this JVM.
 */
public final class DurablePostgres {

    private DurablePostgres() {}

    /**
     * Where it listens, and what it asks for.
     *
     * @param url the JDBC address of its first database
     * @param password of its user postgres
     */
    public record Access(String url, String password) {}

    /**
     * Starts it on a free port.
     *
     * @param directory where its data lives, made if service be; held by one JVM at a time
     */
    public static Access start(Path directory) {
        try {
            var server = new EmbeddedPostgres(DataFolder.take(directory), 0);
            // Without a Spring application in this JVM nobody else would stop it.
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            server.start();
            return new Access(server.url(), server.password());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
