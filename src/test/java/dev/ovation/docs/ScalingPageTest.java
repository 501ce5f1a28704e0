package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The figures of {@code docs/scaling.md} are those of the pages and settings that they name, and
 * the calculator {@code docs/scaling.sh} reads them.
 */
class ScalingPageTest {

    private static final Path PAGE = Path.of("docs/scaling.md");
    private static final Pattern FIGURE =
            Pattern.compile("(?m)^\\| `([a-z]+\\.[a-z0-9]+)` \\| ([\\d,]+) \\|");
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?");
    private static final Pattern EXAMPLE =
            Pattern.compile("(?ms)^\\$ (docs/scaling\\.sh [^\n]*)\n(.*?)(?=^```|^\\$ )");

    private static final String POST =
            "POST, 300 entities, one relay cycle at a time, 64 connections";
    private static final String LOOKUP = "the same, users that need a look-up";
    private static final String GET = "hot GET with user";
    private static final String HOT = "bytes of Redis per hot entity,";
    private static final String WAL = "bytes of WAL for a POST";
    private static final String DISK = "bytes on disk, with indexes,";

    /** A number in a row of {@code docs/performance.md}. */
    private record Place(String row, int cell, int number) {}

    private static final Map<String, Place> MEASURED =
            Map.ofEntries(
                    Map.entry("post.service", new Place(POST, 1, 0)),
                    Map.entry("post.redis", new Place(POST, 2, 0)),
                    Map.entry("post.postgres", new Place(POST, 3, 0)),
                    Map.entry("lookup.service", new Place(LOOKUP, 1, 0)),
                    Map.entry("lookup.redis", new Place(LOOKUP, 2, 0)),
                    Map.entry("lookup.postgres", new Place(LOOKUP, 3, 0)),
                    Map.entry("get.service", new Place(GET, 1, 1)),
                    Map.entry("get.redis", new Place(GET, 2, 0)),
                    Map.entry("counts.service", new Place("counts-only GET, near cache", 1, 0)),
                    Map.entry("idle.service", new Place("ms of processor time of idle", 1, 0)),
                    Map.entry("hot.1", new Place(HOT, 1, 0)),
                    Map.entry("hot.10", new Place(HOT, 1, 1)),
                    Map.entry("hot.100", new Place(HOT, 1, 2)),
                    Map.entry("hot.1000", new Place(HOT, 1, 3)),
                    Map.entry("hot.partial", new Place(HOT, 1, 4)),
                    Map.entry("wal.far", new Place(WAL, 1, 0)),
                    Map.entry("wal.near", new Place(WAL, 1, 1)),
                    Map.entry(
                            "disk.reaction", new Place("bytes on disk for a reaction, its", 2, 0)),
                    Map.entry("disk.entity", new Place(DISK, 1, 0)),
                    Map.entry("disk.counter", new Place(DISK, 1, 1)),
                    Map.entry("disk.answer", new Place(DISK, 1, 2)),
                    Map.entry("disk.event", new Place(DISK, 1, 3)));

    /** Texts of other files that state a number. */
    private static final Map<String, Map.Entry<String, String>> STATED =
            Map.of(
                    "answers.period",
                    Map.entry("RATIONALE.md", "Idempotency keys are in partitions of 6 hours"),
                    "events.periods",
                    Map.entry("docs/events.md", "by periods of a seventh of it"),
                    "sessions.postgres",
                    Map.entry(
                            "src/main/resources/application.yaml",
                            "maximum-pool-size: ${POSTGRES_CONNECTIONS:20}"),
                    "sessions.redis",
                    Map.entry("docs/operations.md", "An instance has three connections to Redis"));

    private static final Map<String, Double> IN_WORDS =
            Map.of("answers.period", 6.0, "events.periods", 7.0, "sessions.redis", 3.0);

    @Test
    void eachMeasuredFigureIsThatOfThePageOfPerformance() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("docs/performance.md"));
        var measured = new HashMap<String, Double>();
        MEASURED.forEach((name, place) -> measured.put(name, number(rows, place)));

        var figures = figures();
        assertThat(figures.keySet()).containsAll(STATED.keySet());
        figures.keySet().removeAll(STATED.keySet());
        assertThat(figures).isEqualTo(measured);
    }

    @Test
    void eachOtherFigureIsStatedElsewhere() throws IOException {
        for (var figure : STATED.entrySet()) {
            String text = figure.getValue().getValue();
            String file = Files.readString(Path.of(figure.getValue().getKey()));
            assertThat(file).contains(text);
            Double stated = IN_WORDS.get(figure.getKey());
            assertThat(figures().get(figure.getKey()))
                    .as(figure.getKey())
                    .isEqualTo(stated == null ? numbers(text).getLast() : stated);
        }
    }

    @Test
    void theHeapOfAStreamIsThatOfThePageOfPerformance() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("docs/performance.md"));
        var place = new Place("KB of heap for a stream", 1, 0);
        assertThat(Files.readString(PAGE))
                .contains("A stream takes %.0f KB of heap".formatted(number(rows, place)));
    }

    @Test
    void theExamplesOfThePageAreTheAnswersOfTheCalculator() throws Exception {
        List<MatchResult> examples = EXAMPLE.matcher(Files.readString(PAGE)).results().toList();
        for (MatchResult example : examples) {
            String[] command = example.group(1).split(" ");
            Result result = run(Arrays.copyOfRange(command, 1, command.length));
            assertThat(result.text()).as(example.group(1)).isEqualTo(example.group(2).strip());
            assertThat(result.status()).isZero();
        }
        assertThat(examples).hasSize(5);
    }

    /** The same by hand: processor time is the rate times the time of one request. */
    @Test
    void processorTimeAndCellsFollowFromTheFigures() throws Exception {
        Map<String, Double> figures = figures();
        double redis =
                9000 * figures.get("post.redis") / 1e6 + 700 * figures.get("get.redis") / 1e6;
        double postgres = 9000 * figures.get("post.postgres") / 1e6;

        String text = run("writes=9000", "reads=700", "busy=50", "postgres=1").text();

        assertThat(text)
                .contains("Redis      %s processors".formatted(number(redis)))
                .contains("Postgres   %s processors".formatted(number(postgres)))
                .contains("cells      %d: Redis".formatted((int) Math.ceil(redis / 0.5)));
        assertThat(run("writes=9000", "busy=50", "postgres=1", "lookups=100").text())
                .contains(
                        "Postgres   %s processors"
                                .formatted(number(9000 * figures.get("lookup.postgres") / 1e6)));
    }

    @Test
    void memoryDiskAndSessionsFollowFromTheFigures() throws Exception {
        Map<String, Double> figures = figures();
        double hours = 24 + figures.get("answers.period");
        double days = 7 * (1 + 1 / figures.get("events.periods"));

        String text =
                run(
                                "writes=500",
                                "keyed=50",
                                "events=7",
                                "hot=1000000",
                                "reactors=11",
                                "entities=2000000",
                                "kinds=2",
                                "reactions=3000000000",
                                "instances=5")
                        .text();

        assertThat(text)
                .contains(number(figures.get("hot.100") / 1e3) + " GB for hot entities")
                .contains(number(3 * figures.get("disk.reaction")) + " GB of reactions")
                .contains(
                        number((figures.get("disk.entity") + 2 * figures.get("disk.counter")) / 500)
                                + " GB of entities")
                .contains(
                        number(250 * hours * 3600 * figures.get("disk.answer") / 1e9)
                                + " GB of answers")
                .contains(
                        number(500 * days * 86400 * figures.get("disk.event") / 1e9)
                                + " GB of events")
                .contains(
                        "sessions   %.0f of Postgres, %.0f of Redis"
                                .formatted(
                                        5 * figures.get("sessions.postgres"),
                                        5 * figures.get("sessions.redis")));
    }

    @ParameterizedTest
    @CsvSource({
        "write=1, there is no input write",
        "writes=-1, writes must be a number",
        "writes=many, writes must be a number",
        "writes, writes must be a number",
        "lookups=101, lookups is a percentage",
        "busy=0, busy must be above 0",
    })
    void aWrongInputIsNamed(String input, String reason) throws Exception {
        var result = run(input);
        assertThat(result.text()).contains(reason);
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void withoutInputsItListsThem() throws Exception {
        assertThat(run().text()).contains("writes=0").contains("busy=60");
    }

    private record Result(String text, int status) {}

    private static Result run(String... inputs) throws Exception {
        var command = new ArrayList<>(List.of("bash", "docs/scaling.sh"));
        command.addAll(List.of(inputs));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var out = process.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
            return new Result(text, process.waitFor());
        }
    }

    private static Map<String, Double> figures() throws IOException {
        var figures = new TreeMap<String, Double>();
        FIGURE.matcher(Files.readString(PAGE))
                .results()
                .forEach(row -> figures.put(row.group(1), numbers(row.group(2)).getFirst()));
        return figures;
    }

    private static double number(List<String> rows, Place place) {
        List<String> found =
                rows.stream().filter(row -> row.startsWith("| " + place.row())).toList();
        assertThat(found).as(place.row()).hasSize(1);
        return numbers(found.getFirst().split("\\|")[place.cell() + 1]).get(place.number());
    }

    private static List<Double> numbers(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(number -> Double.valueOf(number.group().replace(",", "")))
                .toList();
    }

    /** A value as the calculator writes it. */
    private static String number(double value) {
        String form = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }

    /** The table of Redis Cluster: slots in equal ranges, as {@code redis-cli} gives them. */
    @Test
    void theBusiestMasterHasTheShareOnThePage() throws IOException {
        var rows =
                Pattern.compile("(?m)^\\| (\\d+)((?: \\| \\d\\.\\d\\d){8}) \\|$")
                        .matcher(Files.readString(PAGE))
                        .results()
                        .toList();
        assertThat(rows).hasSize(3);
        for (MatchResult row : rows) {
            int partitions = Integer.parseInt(row.group(1));
            var shares = new ArrayList<String>();
            for (int masters : new int[] {2, 3, 4, 5, 6, 8, 10, 16}) {
                shares.add(String.format(Locale.ROOT, "%.2f", busiest(partitions, masters)));
            }
            assertThat(row.group(2).strip())
                    .as(row.group())
                    .isEqualTo("| " + String.join(" | ", shares));
        }
    }

    /** The partitions of the master with most of them, as a multiple of its fair share. */
    private static double busiest(int partitions, int masters) {
        double each = SlotHash.SLOT_COUNT / (double) masters;
        int[] held = new int[masters];
        for (int p = 0; p < partitions; p++) {
            int slot = SlotHash.getSlot("{" + p + "}");
            int master = 0;
            while (slot >= Math.round(each * (master + 1))) {
                master++;
            }
            held[master]++;
        }
        return Arrays.stream(held).max().orElseThrow() * masters / (double) partitions;
    }
}
