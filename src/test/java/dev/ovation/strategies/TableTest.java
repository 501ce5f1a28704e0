package dev.ovation.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class TableTest {

    @TempDir Path folder;

    @BeforeEach
    void oneThatKeptUp() throws IOException {
        result("500_1_no-join", "right", 7);
    }

    @Test
    void showsThePercentilesOfEachCall() throws IOException {
        assertThat(rows())
                .containsExactly(
                        "| 500 | no-join | 7.1 | 7.2 | 7.3 | 8.1 | 8.2 | 8.3 | 9.1 | 9.2 | 9.3 | 24 |");
    }

    @Test
    void showsTheMedianOfRounds() throws IOException {
        result("500_2_no-join", "right", 17);
        result("500_3_no-join", "right", 9);

        assertThat(rows())
                .singleElement()
                .asString()
                .startsWith("| 500 | no-join | 9.1 | 9.2 | 9.3 | 10.1 |");
    }

    @Test
    void onceBehindIsADash() throws IOException {
        result("500_2_no-join", "behind", 7);

        assertThat(rows())
                .containsExactly("| 500 | no-join | — | — | — | — | — | — | — | — | — | — |");
    }

    @Test
    void theTableNamesTheAllowedTurnsBehind() throws IOException {
        assertThat(Table.of(folder)).contains("—: more than 3 turns behind, stopped.");
    }

    @Test
    void onceWrongIsWrong() throws IOException {
        result("500_2_no-join", "wrong", 7);

        assertThat(rows()).singleElement().asString().startsWith("| 500 | no-join | wrong |");
    }

    @Test
    void aRunWithErrorsFailedUnlessItWasStopped() throws IOException {
        result("500_2_no-join", "failed", 7);
        assertThat(rows()).singleElement().asString().startsWith("| 500 | no-join | failed |");

        result("500_3_no-join", "behind", 7);
        assertThat(rows()).singleElement().asString().startsWith("| 500 | no-join | — |");
    }

    @Test
    void ovationIsComparedWithTheBestThatKeptUp() throws IOException {
        result("500_1_mvp", "behind", 1);
        result("500_1_runtime-join", "right", 70);
        result("500_1_ovation", "right", 14);

        assertThat(Table.of(folder))
                .contains(
                        "at 500 users: Ovation did; its p95 by the best of the others:"
                                + " GET 1.97 ×, POST 1.85 ×, DELETE 1.76 ×.");
    }

    /** With 400 calls 20 are later than the p95, with 399 fewer. */
    @Test
    void aCallMadeTooFewTimesIsNotCompared() throws IOException {
        result("500_1_ovation", "right", 14);
        result("500_2_no-join", "right", 7, 399);

        assertThat(Table.of(folder))
                .contains(
                        "its p95 by the best of the others: GET 1.97 ×, POST 1.85 ×,"
                                + " DELETE too few calls (399).");
    }

    @Test
    void aCallThatWasNeverMadeIsNotCompared() throws IOException {
        String onlyRead = "{\"verdict\": \"right\", \"operations\": {\"GET\": %s}}";
        Files.writeString(
                folder.resolve("500_1_ovation.json"), onlyRead.formatted(operation(14, 400)));

        assertThat(Table.of(folder))
                .contains("GET 1.97 ×, POST too few calls (0), DELETE too few calls (0).");
    }

    @Test
    void thereMayBeNothingToCompareWith() throws IOException {
        result("500_1_no-join", "behind", 7);
        result("500_1_ovation", "right", 14);
        assertThat(Table.of(folder)).contains("at 500 users: Ovation did, no strategy.");

        result("500_1_ovation", "failed", 14);
        assertThat(Table.of(folder)).contains("at 500 users: Ovation did not.");
    }

    @Test
    void aCallThatWasNotMadeIsEmpty() throws IOException {
        Files.writeString(
                folder.resolve("500_1_no-join.json"),
                "{\"verdict\": \"right\", \"operations\": {\"GET\": %s}}"
                        .formatted(operation(7, 400)));

        assertThat(rows())
                .containsExactly("| 500 | no-join | 7.1 | 7.2 | 7.3 |  |  |  |  |  |  | 7 |");
    }

    @Test
    void goesByUsersAndThenAsTheThesisDoes() throws IOException {
        result("1000_1_mvp", "right", 1);
        result("500_1_ovation", "right", 1);
        result("500_1_async-join", "right", 1);
        result("500_1_mvp", "right", 1);

        assertThat(rows().stream().map(row -> row.split(" ")[1] + row.split(" ")[3]))
                .containsExactly("500mvp", "500no-join", "500async-join", "500ovation", "1000mvp");
    }

    @Test
    void theTableShowsTheAgeOfCounts() throws IOException {
        Files.writeString(
                folder.resolve("500_1_no-join.staleness"),
                "{\"mean_age\":15.21,\"max_age\":33.3,\"refreshes\":2,\"mean_refresh\":4}");

        assertThat(Table.of(folder))
                .contains(
                        "Counts of no-join at 500 users were 15.2 s old in the mean, 33.3 s at"
                                + " most; each of 2 refreshes took 4.0 s.");
    }

    private List<String> rows() throws IOException {
        return Table.of(folder).lines().skip(2).takeWhile(line -> line.startsWith("|")).toList();
    }

    private void result(String name, String verdict, int millis) throws IOException {
        result(name, verdict, millis, 400);
    }

    private void result(String name, String verdict, int millis, int deletes) throws IOException {
        Files.writeString(
                folder.resolve(name + ".json"),
                """
                {"verdict": "%s", "max_lag": 3, "operations": {"GET": %s, "POST": %s, "DELETE": %s}}
                """
                        .formatted(
                                verdict,
                                operation(millis, 400),
                                operation(millis + 1, 400),
                                operation(millis + 2, deletes)));
    }

    private static String operation(int millis, int calls) {
        return "{\"requests\": %d, \"rate\": %d, \"p50_ms\": %d.1, \"p95_ms\": %d.2, \"p99_ms\": %d.3}"
                .formatted(calls, millis, millis, millis, millis);
    }
}
