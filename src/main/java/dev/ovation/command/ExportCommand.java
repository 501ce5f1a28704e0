package dev.ovation.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes an export to a file or to the standard output; fails when its last line is missing. */
final class ExportCommand {

    private static final Pattern LAST = Pattern.compile("# count: (\\d+)|\\{\"count\":(\\d+)}");
    private static final int SHOWN_EVERY = 1000;

    private final Arguments arguments;
    private final PrintStream out;
    private final PrintStream err;
    private final boolean json;

    ExportCommand(Arguments arguments, PrintStream out, PrintStream err) {
        this.arguments = arguments;
        this.out = out;
        this.err = err;
        String file = arguments.file();
        this.json = arguments.has("ndjson") || (file != null && file.endsWith(".ndjson"));
        if (!arguments.has("user")) {
            arguments.needed("kind");
        }
    }

    int run() {
        var request =
                Arguments.request(
                                arguments.uri(
                                        "/exports",
                                        "kind",
                                        arguments.get("kind"),
                                        "namespace_id",
                                        arguments.get("namespace"),
                                        "user_id",
                                        arguments.get("user")))
                        .header(
                                "Accept",
                                json || !arguments.has("kind")
                                        ? "application/x-ndjson"
                                        : "text/csv")
                        .build();
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var answer = client.send(request, BodyHandlers.ofInputStream());
            try (var lines =
                    new BufferedReader(
                            new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                if (answer.statusCode() != 200) {
                    err.println("export: " + lines.readLine());
                    return CommandLine.FAILED;
                }
                String file = arguments.file();
                return file == null ? copy(lines, out) : copy(lines, Path.of(file));
            }
        } catch (IOException e) {
            err.println("export: " + e);
            return CommandLine.FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CommandLine.FAILED;
        }
    }

    /**
     * An incomplete export does not get the file's name, because its first lines do not show the
     * defect.
     */
    private int copy(BufferedReader lines, Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return write(lines, file); // a device, or a pipe
        }
        Path part = Path.of(file + ".part");
        try {
            int status = write(lines, part);
            if (status == CommandLine.DONE) {
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            }
            return status;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private int write(BufferedReader lines, Path file) throws IOException {
        try (var to = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            return copy(lines, to);
        }
    }

    private int copy(BufferedReader lines, PrintStream to) throws IOException {
        var bar = new ProgressBar(err);
        long rows = 0;
        String last = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            last = line;
            to.print(line);
            to.print('\n');
            if (++rows % SHOWN_EVERY == 0) {
                bar.show("exporting", rows, ProgressBar.UNKNOWN);
            }
        }
        to.flush();
        Matcher count = LAST.matcher(last);
        if (!count.matches() || to.checkError()) {
            err.println("export: it broke off, the last line is missing");
            return CommandLine.FAILED;
        }
        long stated = Long.parseLong(count.group(1) == null ? count.group(2) : count.group(1));
        bar.end("exporting", stated, stated);
        return CommandLine.DONE;
    }
}
