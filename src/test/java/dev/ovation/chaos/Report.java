package dev.ovation.chaos;

import dev.ovation.chaos.Nemesis.Strike;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Readable report of a run.
 *
 * @param file where it is written
 * @param possible the kinds of faults of the run
 */
record Report(
        Path file,
        List<String> possible,
        long seed,
        Duration time,
        List<Strike> strikes,
        Figures figures,
        int snapshots,
        List<String> violations) {

    /** Writes the report, and returns the message for a failed build. */
    String write() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text());
        return "seed %d, report in %s\n%s"
                .formatted(seed, file.toAbsolutePath(), String.join("\n", violations));
    }

    private String text() {
        return """
        # Chaos run

        Seed %d, %d minutes %d seconds, %d faults, %d committed states audited, **%d violations**.

        ## Operations by outcome

        | outcome | operations |
        | --- | ---: |
        %s

        ## Faults by kind, and the longest stops in seconds

        %s

        A stop is a time without an answer through a door. *During*: from the fault on, of
        the clients of instances that were not hit themselves. *After*: from the moment the part
        can answer again, of all clients. *All well*: until every probed entity can be read and
        written through every instance, at most.

        | fault | times | reads during | writes during | reads after | writes after | all well |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: |
        %s

        ## Violations

        %s

        ## Faults in order

        %s
        """
                .formatted(
                        seed,
                        time.toMinutes(),
                        time.toSecondsPart(),
                        strikes.size(),
                        snapshots,
                        violations.size(),
                        outcomes(),
                        covered(),
                        kinds(),
                        violations.isEmpty()
                                ? "None."
                                : "```\n" + String.join("\n\n", violations) + "\n```",
                        lines(strikes, strike -> "- " + strike));
    }

    private String outcomes() {
        return lines(
                figures.outcomes().entrySet(),
                entry -> "| %s | %d |".formatted(entry.getKey(), entry.getValue()));
    }

    /** Lists the kinds that never occurred, alone or beside another. */
    private String covered() {
        var missing =
                possible.stream()
                        .filter(kind -> strikes.stream().noneMatch(strike -> strike.hit(kind)))
                        .toList();
        int all = possible.size();
        return "%d of %d kinds were brought%s"
                .formatted(
                        all - missing.size(),
                        all,
                        missing.isEmpty() ? "." : "; not: " + String.join(", ", missing) + ".");
    }

    private String kinds() {
        Map<String, List<Strike>> kinds =
                strikes.stream()
                        .collect(
                                Collectors.groupingBy(
                                        strike -> strike.fault().kind().replaceFirst(" \\(.*", ""),
                                        TreeMap::new,
                                        Collectors.toList()));
        return lines(
                kinds.entrySet(),
                kind ->
                        "| %s | %d | %s | %s | %s | %s | %s |"
                                .formatted(
                                        kind.getKey(),
                                        kind.getValue().size(),
                                        longest(kind.getValue(), Strike::otherReads),
                                        longest(kind.getValue(), Strike::otherWrites),
                                        longest(kind.getValue(), Strike::reads),
                                        longest(kind.getValue(), Strike::writes),
                                        longest(kind.getValue(), Strike::untilWell)));
    }

    private static String longest(List<Strike> strikes, Function<Strike, Duration> stop) {
        var longest = strikes.stream().map(stop).max(Comparator.naturalOrder()).orElseThrow();
        return "%.1f".formatted(longest.toMillis() / 1e3);
    }

    private static <T> String lines(Iterable<T> items, Function<T, String> line) {
        var lines = new ArrayList<String>();
        items.forEach(item -> lines.add(line.apply(item)));
        return String.join("\n", lines);
    }
}
