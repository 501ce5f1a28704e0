package dev.ovation.command;

import java.io.IOException;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * Asks a running service whether it is ready, for health checks of containers without {@code curl}.
 * It loads few classes, because it runs every few seconds.
 */
final class HealthCommand {

    private static final int TIMEOUT_MILLIS = 3000;

    private final URI uri;
    private final PrintStream out;
    private final PrintStream err;

    HealthCommand(Arguments arguments, PrintStream out, PrintStream err) {
        this.uri = arguments.uri("/readyz");
        this.out = out;
        this.err = err;
    }

    int run() {
        try {
            int status = status();
            out.println(uri + " answers " + status);
            return status == HttpURLConnection.HTTP_OK ? CommandLine.DONE : CommandLine.FAILED;
        } catch (IOException e) {
            err.println("health: " + uri + ": " + e.getMessage());
            return CommandLine.FAILED;
        }
    }

    private int status() throws IOException {
        if (!(uri.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException("no address of a service");
        }
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
