package dev.ovation.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Sends the three files of a folder to {@code POST /configuration}, as a gzip tar. */
final class ConfigureCommand {

    private static final List<String> FILES =
            List.of("reactions.yaml", "reaction_sets.yaml", "namespaces.yaml");

    /** Entries of a tar are a multiple of this long, their headers one. */
    private static final int BLOCK = 512;

    private static final int SIZE_AT = 124;
    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_DIGITS = 8;

    private final Arguments arguments;
    private final Path folder;
    private final PrintStream out;
    private final PrintStream err;

    ConfigureCommand(Arguments arguments, PrintStream out, PrintStream err) {
        String given = arguments.file();
        if (given == null) {
            throw new Arguments.MisuseException("which folder?");
        }
        this.arguments = arguments;
        this.folder = Path.of(given);
        this.out = out;
        this.err = err;
    }

    int run() {
        String dry = arguments.has("dry-run") ? "true" : null;
        String loss = arguments.has("accept-loss") ? "true" : null;
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var request =
                    Arguments.request(
                                    arguments.uri(
                                            "/configuration", "dry_run", dry, "accept_loss", loss))
                            .header("Content-Type", "application/gzip")
                            .POST(BodyPublishers.ofByteArray(archive()))
                            .build();
            var answer = client.send(request, BodyHandlers.ofString());
            boolean done = answer.statusCode() == 200;
            (done ? out : err).println(answer.body());
            return done ? CommandLine.DONE : CommandLine.FAILED;
        } catch (IOException e) {
            err.println("configure: " + e);
            return CommandLine.FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CommandLine.FAILED;
        }
    }

    private byte[] archive() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new GZIPOutputStream(bytes)) {
            for (String name : FILES) {
                byte[] content = Files.readAllBytes(folder.resolve(name));
                tar.write(header(name, content.length));
                tar.write(content);
                tar.write(new byte[Math.floorMod(-content.length, BLOCK)]);
            }
            end(tar);
        }
        return bytes.toByteArray();
    }

    private static void end(OutputStream tar) throws IOException {
        tar.write(new byte[2 * BLOCK]);
    }

    /** The header of a plain file, in the form of ustar: numbers are octal. */
    private static byte[] header(String name, int size) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, SIZE_AT, "%011o".formatted(size));
        put(header, 136, "%011o".formatted(0));
        put(header, CHECKSUM_AT, " ".repeat(CHECKSUM_DIGITS));
        put(header, 156, "0");
        put(header, 257, "ustar");
        put(header, 263, "00");
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        put(header, CHECKSUM_AT, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
