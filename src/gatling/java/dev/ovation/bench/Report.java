package dev.ovation.bench;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Summarises the observations of a benchmark: {@code <tsv file> <title>
 * [ratio=<measure>/<control>]… [goal=<subject>:<measure>[/<control>]>=<number>]… [note=…]…}. Shows
 * medians of the rounds, with the least and the greatest in brackets; ratios are computed within
 * each round. A control is a subject, in whose name <code>{first}</code> and <code>{rest}</code>
 * stand for the first word and the others of each line's own. In addition to the goals, no subject
 * may have had errors in any round, or less than the requested constant rate. Writes Markdown and
 * JSON beside the file and prints the Markdown.
 */
final class Report {

    private static final List<String> ALWAYS = List.of("errors<=0", "rate_reached>=0.95");

    private final Observations observations;
    private final String title;
    private final List<String> ratios;
    private final List<Goal> goals;
    private final List<String> notes;

    Report(Observations observations, String title, List<String> arguments) {
        this.observations = observations;
        this.title = title;
        this.ratios = those("ratio=", arguments);
        this.goals = those("goal=", arguments).stream().map(Goal::of).toList();
        this.notes = those("note=", arguments);
    }

    public static void main(String... arguments) throws IOException {
        var file = Path.of(arguments[0]);
        var rest = Arrays.asList(arguments).subList(2, arguments.length);
        var report = new Report(Observations.read(file), arguments[1], rest);
        String stem = file.getFileName().toString().replaceFirst("\\.tsv$", "");
        Files.writeString(file.resolveSibling(stem + ".md"), report.markdown());
        Files.writeString(file.resolveSibling(stem + ".json"), report.json());
        IO.print(report.markdown());
    }

    String markdown() {
        var lines = new ArrayList<>(List.of("## " + title, ""));
        notes.forEach(note -> lines.addAll(List.of(note, "")));
        var heads = new ArrayList<>(List.of(""));
        heads.addAll(observations.measures());
        heads.addAll(ratios);
        lines.add(row(heads));
        lines.add("| --- |" + " ---: |".repeat(heads.size() - 1));
        for (String subject : observations.subjects()) {
            var cells = new ArrayList<>(List.of(subject));
            columns(subject).values().forEach(values -> cells.add(cell(values)));
            lines.add(row(cells));
        }
        lines.add("");
        verdicts().forEach(verdict -> lines.add("- " + verdict));
        return String.join("\n", lines).stripTrailing() + "\n\n";
    }

    /** The summary as JSON, each value as median, least and greatest. */
    String json() {
        var subjects = new LinkedHashMap<String, Object>();
        for (String subject : observations.subjects()) {
            var columns = new LinkedHashMap<String, Object>();
            columns(subject)
                    .forEach(
                            (name, values) -> {
                                if (!values.isEmpty()) {
                                    columns.put(name, summary(values));
                                }
                            });
            subjects.put(subject, columns);
        }
        var whole = new LinkedHashMap<String, Object>();
        whole.put("title", title);
        whole.put("subjects", subjects);
        whole.put("verdicts", verdicts());
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(whole);
    }

    private List<String> verdicts() {
        return Stream.concat(
                        goals.stream().map(goal -> goal.verdict(observations)),
                        ALWAYS.stream().flatMap(this::always))
                .toList();
    }

    /** One sentence if all subjects meet the condition, else one for each subject that does not. */
    private Stream<String> always(String wanted) {
        var measured =
                observations.subjects().stream()
                        .map(subject -> Goal.of(subject + ":" + wanted))
                        .filter(goal -> goal.isMeasured(observations))
                        .toList();
        var missed = measured.stream().filter(goal -> !goal.isReached(observations)).toList();
        if (!missed.isEmpty()) {
            return missed.stream().map(goal -> goal.verdict(observations));
        }
        return measured.isEmpty()
                ? Stream.empty()
                : Stream.of("all, in every round: " + wanted + ": **reached**");
    }

    private Map<String, Collection<Double>> columns(String subject) {
        var columns = new LinkedHashMap<String, Collection<Double>>();
        for (String measure : observations.measures()) {
            columns.put(measure, observations.values(subject, measure));
        }
        for (String ratio : ratios) {
            String[] parts = ratio.split("/", 2);
            columns.put(ratio, observations.ratios(subject, control(parts[1], subject), parts[0]));
        }
        return columns;
    }

    private static String control(String form, String subject) {
        String[] words = subject.split(" ", 2);
        return form.replace("{first}", words[0]).replace("{rest}", words[words.length - 1]);
    }

    private static Map<String, Double> summary(Collection<Double> values) {
        var sorted = values.stream().sorted().toList();
        var summary = new LinkedHashMap<String, Double>();
        summary.put("median", Statistics.median(values));
        summary.put("least", sorted.getFirst());
        summary.put("greatest", sorted.getLast());
        return summary;
    }

    private static String cell(Collection<Double> values) {
        if (values.isEmpty()) {
            return "–";
        }
        var sorted = values.stream().map(Report::number).toList();
        var summary = summary(values);
        String median = number(summary.get("median"));
        return sorted.stream().distinct().count() == 1
                ? median
                : median
                        + " ["
                        + number(summary.get("least"))
                        + "–"
                        + number(summary.get("greatest"))
                        + "]";
    }

    /** Formats three significant digits. */
    static String number(double value) {
        double size = Math.abs(value);
        int decimals =
                size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static List<String> those(String prefix, List<String> arguments) {
        return arguments.stream()
                .filter(argument -> argument.startsWith(prefix))
                .map(argument -> argument.substring(prefix.length()))
                .toList();
    }
}
