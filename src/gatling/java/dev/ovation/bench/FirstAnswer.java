package dev.ovation.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Starts a program and waits for its first answer: {@code <log> <path> <command>…}. Polls every two
 * milliseconds for a 200. The variable {@code SERVER_PORT} passes the port to the program, which is
 * stopped afterwards. Prints {@code first_answer_s}, a tabulator and the seconds, and as {@code
 * errors} the number of earlier answers with another status.
 */
final class FirstAnswer {

    private static final Duration BOUND = Duration.ofMinutes(2);

    private FirstAnswer() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(Arrays.asList(arguments).subList(2, arguments.length));
        int port = freePort();
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(Path.of(arguments[0]).toFile());
        builder.environment().put("SERVER_PORT", "" + port);
        long start = System.nanoTime();
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        int errors = 0;
        for (int status = 0; status != 200; status = status(port, arguments[1])) {
            errors += status == 0 ? 0 : 1;
            if (!process.isAlive() || System.nanoTime() - start > BOUND.toNanos()) {
                throw new IllegalStateException("no answer: see " + arguments[0]);
            }
            Thread.sleep(2);
        }
        IO.println("first_answer_s\t" + (System.nanoTime() - start) / 1e9);
        IO.println("errors\t" + errors);
        process.destroy();
        process.waitFor(30, TimeUnit.SECONDS);
    }

    /** The status of an answer; 0 if there is none. */
    private static int status(int port, String path) {
        try {
            return KeptConnection.get(port, path);
        } catch (IOException _) {
            return 0;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
