package dev.ovation.embedded;

import dev.ovation.embedded.server.DataFolder;
import dev.ovation.embedded.server.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The product's embedded Postgres with full durability, for measurements that share one. It keeps
 * its data and ends with this JVM.
 */
public final class DurablePostgres {

    private DurablePostgres() {}

    /**
     * Address and password.
     *
     * @param url the JDBC address of its first database
     * @param password of its user postgres
     */
    public record Access(String url, String password) {}

    /**
     * Starts it on a free port.
     *
     * @param directory of its data, created if it is missing; used by one JVM at a time
     */
    public static Access start(Path directory) {
        try {
            var server = new EmbeddedPostgres(DataFolder.take(directory), 0);
            // Without a Spring application in this JVM only the hook stops it.
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            server.start();
            return new Access(server.url(), server.password());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
