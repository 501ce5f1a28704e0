package dev.ovation.api;

import static dev.ovation.testing.Imports.CSV;
import static dev.ovation.testing.Imports.NDJSON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Imports;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Imports of a file beside users who react, and comparisons. */
@DisplayName("POST /imports of a migration")
class MigrationApiTest extends ApiFixture {

    private static final String HEADER =
            "op,namespace_id,entity_id,user_id,reaction_id,reacted_at\n";
    private static final long SEED = Seed.from("seed", 377);
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    private String namespace = "moved";

    private static String daysAgo(int days) {
        return NOW.minus(days, ChronoUnit.DAYS).toString();
    }

    private String line(String op, String user, String reaction, String at) {
        return String.join(",", op, namespace, entity, user, reaction, at) + "\n";
    }

    private JsonNode imported(String... lines) {
        return Imports.run(service, "kind=reactions", HEADER + String.join("", lines))
                .get("report");
    }

    private JsonNode compared(String file) {
        return Imports.run(other, "kind=reactions&compare=true", file).get("report");
    }

    private List<String> rows() throws Exception {
        return Rows.of(namespace, entity);
    }

    @Test
    void yesterdaysFileChangesNothingOfToday() throws Exception {
        namespace = "snapshots"; // no other test writes to it
        String file =
                HEADER
                        + line("add", "ann", "a", daysAgo(3))
                        + line("add", "ann", "b", daysAgo(2))
                        + line("add", "ben", "a", daysAgo(2))
                        + line("add", "cleo", "a", daysAgo(1));
        Imports.run(service, "kind=reactions", file);
        assertOk(remove(namespace, "ann", "a"));
        assertOk(remove(namespace, "ben", "a"));
        given(namespace, "ben", "a");
        given(namespace, "dan", "d");
        assertOk(remove(namespace, "cleo", "a"));
        JsonNode before = details(namespace);
        List<String> rows = rows();
        assertThat(rows).containsExactlyInAnyOrder("ann b", "ben a", "dan d");

        JsonNode report = Imports.run(other, "kind=reactions", file).get("report");

        assertThat(report.at("/applied").longValue()).isZero();
        assertThat(report.at("/outdated").longValue()).isEqualTo(3);
        assertThat(report.at("/unchanged").longValue()).isEqualTo(1);
        assertThat(rows()).isEqualTo(rows);
        assertThat(details(namespace)).isEqualTo(before);
        JsonNode differences = compared(file);
        assertThat(differences.at("/missing/count").longValue()).isZero();
        assertThat(differences.at("/extra/count").longValue()).isZero();
        assertThat(differences.at("/outdated").longValue()).isEqualTo(2);
        assertThat(differences.at("/same").longValue()).isEqualTo(2);
    }

    /** A PUT takes back too, and a reaction that was added and removed within one batch. */
    @Test
    void eachWayToTakeBackCounts() throws Exception {
        given(namespace, "ann", "a", "b");
        String body =
                "{\"namespace_id\":\"%s\",\"entity_id\":\"%s\",\"user_id\":\"ann\",\"reaction_ids\":[\"b\"]}";
        assertThat(service.send("PUT", "/reactions", body.formatted(namespace, entity)).status())
                .isEqualTo(200);
        String item =
                "{\"op\":\"%s\",\"namespace_id\":\"%s\",\"entity_id\":\"%s\",\"user_id\":\"ben\",\"reaction_id\":\"a\"}";
        String batch =
                "{\"operations\":[%s,%s]}"
                        .formatted(
                                item.formatted("add", namespace, entity),
                                item.formatted("remove", namespace, entity));
        assertThat(service.send("POST", "/reactions/batch", batch).status()).isEqualTo(200);

        JsonNode report =
                imported(
                        line("add", "ann", "a", daysAgo(1)),
                        line("add", "ben", "a", daysAgo(1)),
                        line("add", "ben", "b", daysAgo(1)));

        assertThat(report.at("/outdated").longValue()).isEqualTo(2);
        assertThat(rows()).containsExactlyInAnyOrder("ann b", "ben b");
    }

    /** Also of an entity that the step creates, or whose reactions it both removes and adds. */
    @Test
    void aStepGivesAnEntityOneNewVersion() throws Exception {
        imported(line("add", "ann", "a", daysAgo(5)), line("add", "ben", "b", daysAgo(5)));
        long gap = Rows.version(namespace, entity);
        assertThat(gap).isPositive();

        imported(line("add", "cleo", "a", daysAgo(4)));
        assertThat(Rows.version(namespace, entity)).isEqualTo(2 * gap);

        imported(line("remove", "ann", "a", daysAgo(3)), line("add", "ann", "b", daysAgo(3)));
        assertThat(rows()).containsExactlyInAnyOrder("ann b", "ben b", "cleo a");
        assertThat(Rows.version(namespace, entity)).isEqualTo(3 * gap);
    }

    @Test
    void aFileTakesBackWhatIsNotNewer() throws Exception {
        imported(
                line("", "ann", "a", daysAgo(5)),
                line("", "cleo", "a", daysAgo(5)),
                line("", "cleo", "b", daysAgo(5)));
        given(namespace, "ben", "a");
        assertThat(Rows.people(namespace, entity)).isEqualTo(3);

        JsonNode report =
                imported(
                        line("remove", "ann", "a", daysAgo(4)),
                        line("remove", "ben", "a", daysAgo(4)),
                        line("remove", "cleo", "b", daysAgo(4)),
                        line("remove", "dan", "c", daysAgo(4)));

        assertThat(Rows.people(namespace, entity)).isEqualTo(2);
        assertThat(report.at("/applied").longValue()).isEqualTo(2);
        assertThat(report.at("/outdated").longValue()).isEqualTo(1);
        assertThat(report.at("/unchanged").longValue()).isEqualTo(1);
        assertThat(rows()).containsExactlyInAnyOrder("ben a", "cleo a");
        assertThat(counts(namespace)).isEqualTo("a 2");
        JsonNode late =
                imported(
                        line("add", "dan", "c", daysAgo(5)),
                        line("add", "ann", "a", daysAgo(4)),
                        line("add", "ann", "a", daysAgo(3)));
        assertThat(late.at("/outdated").longValue()).isEqualTo(2);
        assertThat(rows()).containsExactlyInAnyOrder("ann a", "ben a", "cleo a");
    }

    @Test
    void anUnknownOpIsABadLine() throws Exception {
        String json =
                "{\"op\":\"%s\",\"entity_id\":\"%s\",\"user_id\":\"%s\",\"reaction_id\":\"a\",\"reacted_at\":1000}\n";
        JsonNode report =
                Imports.done(
                                service,
                                Imports.id(
                                        Imports.send(
                                                service,
                                                "kind=reactions&namespace_id=" + namespace,
                                                NDJSON,
                                                json.formatted("add", entity, "ann")
                                                        + json.formatted("take", entity, "ben"))))
                        .get("report");

        assertThat(report.at("/bad/count").longValue()).isEqualTo(1);
        assertThat(report.at("/bad/first/0/problem").stringValue())
                .isEqualTo("op must be add or remove");
        assertThat(rows()).containsExactly("ann a");
    }

    @Test
    void aComparisonListsWhatOneSideAloneHasAndChangesNothing() throws Exception {
        namespace = "of-" + UUID.randomUUID();
        String form = "%s," + namespace + ",e%d,ann,%s,%s\n";
        Imports.run(
                service,
                "kind=reactions",
                HEADER
                        + form.formatted("add", 1, "a", daysAgo(9))
                        + form.formatted("add", 2, "a", daysAgo(9))
                        + form.formatted("add", 3, "a", daysAgo(9))
                        + form.formatted("add", 4, "a", daysAgo(1)));

        JsonNode report =
                compared(
                        HEADER
                                + form.formatted("add", 1, "a", daysAgo(9))
                                + form.formatted("remove", 2, "a", daysAgo(3))
                                + form.formatted("add", 5, "b", daysAgo(3)));

        assertThat(report.at("/same").longValue()).isEqualTo(1);
        assertThat(report.at("/later").longValue()).isEqualTo(1);
        assertThat(report.at("/missing/count").longValue()).isEqualTo(1);
        assertThat(text(report.at("/missing/first/0"), "entity_id")).isEqualTo("e5");
        assertThat(text(report.at("/missing/first/0"), "reacted_at")).isEqualTo(daysAgo(3));
        assertThat(report.at("/extra/count").longValue()).isEqualTo(2);
        assertThat(
                        report.at("/extra/first")
                                .valueStream()
                                .map(each -> text(each, "entity_id"))
                                .toList())
                .containsExactlyInAnyOrder("e2", "e3");
        assertThat(report.has("applied")).isFalse();
        assertThat(Rows.of(namespace, "e2")).containsExactly("ann a");
        assertThat(Rows.of(namespace, "e5")).isEmpty();
        assertViolations(
                Imports.send(service, "kind=users&compare=true", CSV, "user_id,display_name\n"),
                "compare");
    }

    /**
     * A log of changes in the order of their times, cut into files, of which earlier ones arrive
     * again at any time, beside the writes of users: for each user and reaction the latest change
     * holds.
     */
    @Test
    void aLogEndsInTheLatestChanges() throws Exception {
        var random = new Random(SEED);
        Map<String, Boolean> last = new HashMap<>();
        var files = new ArrayList<String>();
        int time = 400;
        for (int file = 0; file < 7; file++) {
            var lines = new StringBuilder(HEADER);
            for (int i = 0; i < 23; i++) {
                String user = "user-" + random.nextInt(4);
                String reaction = List.of("a", "b").get(random.nextInt(2));
                boolean adds = random.nextInt(3) > 0;
                lines.append(line(adds ? "add" : "remove", user, reaction, daysAgo(time--)));
                last.put(user + " " + reaction, adds);
            }
            files.add(lines.toString());
        }
        given(namespace, "user-0", "a");
        last.put("user-0 a", true);
        given(namespace, "user-1", "b");
        assertOk(remove(namespace, "user-1", "b"));
        last.put("user-1 b", false);
        for (int file = 0; file < files.size(); file++) {
            Imports.run(service, "kind=reactions", files.get(file));
            Imports.run(other, "kind=reactions", files.get(random.nextInt(file + 1)));
        }

        assertThat(rows())
                .containsExactlyInAnyOrderElementsOf(
                        last.keySet().stream().filter(last::get).toList());
        assertThat(total(details(namespace))).isEqualTo(rows().size());
        assertThat(compared(files.getFirst()).at("/missing/count").longValue()).isZero();
    }

    private static long total(JsonNode entity) {
        return entity.get("total").longValue();
    }
}
