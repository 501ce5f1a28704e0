package dev.ovation.strategies;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The thesis' Table II: p50, p95 and p99 of each call, by users and strategy, as Markdown. Its
 * argument is a folder with the results of simulations, {@code <users>_<round>_<strategy>.json},
 * and for {@code async-join} the age of its counts, as {@code .staleness}.
 */
final class Table {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> CALLS = List.of("GET", "POST", "DELETE");
    private static final List<String> PERCENTILES = List.of("p50_ms", "p95_ms", "p99_ms");

    /**
     * Number of calls from which a p95 is compared: 20 of them are beyond it, a number whose
     * standard deviation is about a fifth of it. With fewer calls a ratio would depend on a few
     * late ones.
     */
    private static final int ENOUGH = 400;

    private static final String BEHIND = "—";
    private static final String RIGHT = "right";

    private Table() {}

    private record Run(int users, String strategy, Path file, JsonNode result) {

        static Run read(Path file) {
            String[] parts = file.getFileName().toString().replace(".json", "").split("_", 3);
            return new Run(
                    Integer.parseInt(parts[0]), parts[2], file, JSON.readTree(file.toFile()));
        }

        String verdict() {
            return result.path("verdict").asString();
        }

        int calls(String call) {
            return result.at("/operations/" + call + "/requests").asInt(0);
        }

        /** The order of the thesis: from the simplest to the fastest, then Ovation. */
        int place() {
            int place = Strategies.NAMES.indexOf(strategy.split(",")[0]);
            return place < 0 ? Strategies.NAMES.size() : place;
        }
    }

    public static void main(String... arguments) throws IOException {
        IO.print(of(Path.of(arguments[0])));
    }

    /** Reads a folder and returns the table with medians of its rounds. */
    static String of(Path folder) throws IOException {
        List<Run> runs = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(Run::read)
                    .forEach(runs::add);
        }
        var table =
                new StringBuilder(
                        """
                        | users | strategy | GET p50 | p95 | p99 | POST p50 | p95 | p99 | DELETE p50 | p95 | p99 | requests/s |
                        |--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
                        """);
        var byUsers =
                runs.stream()
                        .collect(groupingBy(Run::users, TreeMap::new, groupingBy(Run::strategy)));
        byUsers.values().stream()
                .flatMap(byStrategy -> byStrategy.values().stream().sorted(Table::compare))
                .forEach(rounds -> table.append(row(rounds)));
        table.append("\nTimes in milliseconds. ").append(BEHIND);
        table.append(": more than ").append(allowed(runs)).append(" turns behind, stopped.\n");
        byUsers.forEach((users, byStrategy) -> table.append(comparison(users, byStrategy)));
        runs.forEach(run -> table.append(staleness(run)));
        return table.toString();
    }

    /** Allowed delay of users in turns. */
    private static String allowed(List<Run> runs) {
        return runs.stream()
                .map(run -> run.result.path("max_lag").asString("?"))
                .distinct()
                .collect(joining(" or "));
    }

    private static int compare(List<Run> a, List<Run> b) {
        return Integer.compare(a.getFirst().place(), b.getFirst().place());
    }

    private static String row(List<Run> rounds) {
        var cells = new ArrayList<String>();
        Run first = rounds.getFirst();
        cells.add(String.valueOf(first.users));
        cells.add(first.strategy);
        for (String call : CALLS) {
            for (String percentile : PERCENTILES) {
                cells.add(cell(rounds, "%.1f", "/operations/" + call + "/" + percentile));
            }
        }
        String[] rates =
                CALLS.stream().map(call -> "/operations/" + call + "/rate").toArray(String[]::new);
        cells.add(cell(rounds, "%.0f", rates));
        return cells.stream().collect(joining(" | ", "| ", " |\n"));
    }

    /**
     * The median over the rounds of the sum of some members; the verdict unless all runs are right.
     */
    private static String cell(List<Run> rounds, String format, String... members) {
        String verdict = verdict(rounds);
        if (!verdict.equals(RIGHT)) {
            return verdict.equals("behind") ? BEHIND : verdict;
        }
        var median = median(rounds, members);
        // Empty if there were too few turns for one such call.
        return median.isEmpty() ? "" : String.format(Locale.ROOT, format, median.getAsDouble());
    }

    /** The worst verdict of the rounds. */
    private static String verdict(List<Run> rounds) {
        return Stream.of("wrong", "behind", "failed")
                .filter(each -> rounds.stream().anyMatch(run -> run.verdict().equals(each)))
                .findFirst()
                .orElse(RIGHT);
    }

    private static OptionalDouble median(List<Run> rounds, String... members) {
        if (rounds.stream().allMatch(run -> run.result.at(members[0]).isMissingNode())) {
            return OptionalDouble.empty();
        }
        double[] sums =
                rounds.stream()
                        .mapToDouble(
                                run ->
                                        Stream.of(members)
                                                .mapToDouble(
                                                        each -> run.result.at(each).asDouble(0))
                                                .sum())
                        .sorted()
                        .toArray();
        int half = sums.length / 2;
        return OptionalDouble.of(
                sums.length % 2 == 1 ? sums[half] : (sums[half - 1] + sums[half]) / 2);
    }

    /**
     * Ovation's p95 of each call beside the least of the strategies that kept up, for calls that
     * each of them made often enough in each round.
     */
    private static String comparison(int users, Map<String, List<Run>> byStrategy) {
        var ovation = byStrategy.getOrDefault(Contestant.OVATION, List.of());
        if (ovation.isEmpty()) {
            return "";
        }
        var others =
                byStrategy.entrySet().stream()
                        .filter(each -> !each.getKey().equals(Contestant.OVATION))
                        .map(Map.Entry::getValue)
                        .filter(rounds -> verdict(rounds).equals(RIGHT))
                        .toList();
        String said =
                !verdict(ovation).equals(RIGHT)
                        ? "Ovation did not"
                        : others.isEmpty()
                                ? "Ovation did, no strategy"
                                : CALLS.stream()
                                        .map(call -> call + " " + ratio(ovation, others, call))
                                        .collect(
                                                joining(
                                                        ", ",
                                                        "Ovation did; its p95 by the best of the others: ",
                                                        ""));
        return "%nWho kept up at %d users: %s.%n".formatted(users, said);
    }

    private static String ratio(List<Run> ovation, List<List<Run>> others, String call) {
        int fewest =
                Stream.concat(Stream.of(ovation), others.stream())
                        .flatMap(List::stream)
                        .mapToInt(run -> run.calls(call))
                        .min()
                        .orElse(0);
        if (fewest < ENOUGH) {
            return "too few calls (%d)".formatted(fewest);
        }
        String member = "/operations/" + call + "/p95_ms";
        double least =
                others.stream()
                        .map(each -> median(each, member))
                        .mapToDouble(OptionalDouble::orElseThrow)
                        .min()
                        .orElseThrow();
        return String.format(Locale.ROOT, "%.2f ×", median(ovation, member).orElseThrow() / least);
    }

    private static String staleness(Run run) {
        Path file = Path.of(run.file.toString().replace(".json", ".staleness"));
        if (!Files.exists(file)) {
            return "";
        }
        JsonNode figures = JSON.readTree(file.toFile());
        return String.format(
                Locale.ROOT,
                "%nCounts of %s at %d users were %.1f s old in the mean, %.1f s at most; each of %d"
                        + " refreshes took %.1f s.%n",
                run.strategy,
                run.users,
                figures.path("mean_age").asDouble(),
                figures.path("max_age").asDouble(),
                figures.path("refreshes").asInt(),
                figures.path("mean_refresh").asDouble());
    }
}
