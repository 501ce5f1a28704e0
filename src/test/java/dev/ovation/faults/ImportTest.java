package dev.ovation.faults;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.testing.Imports.CSV;
import static dev.ovation.testing.Imports.HEADER;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;
import dev.ovation.testing.report.Seed;
import dev.ovation.web.RawHttp;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Imports during writes, in several steps, and of exported files. */
@Beside
class ImportTest {

    private static final long SEED = Seed.from("seed", 377);
    private static final List<String> ENTITIES = List.of("1", "2", "a:b {3} 👩‍💻");
    private static final int USERS = 3_770;
    private static final int CHUNK = 377;

    /** Merges of one entity; a write that was rejected four times is refused. */
    private static final int PIECES = 2;

    private static Stage stage;
    private static List<Instance> instances;

    @BeforeAll
    static void open() {
        stage = Stage.open();
        String[] small =
                Patience.longWith(
                        "ovation.internal.transfers.chunk=" + CHUNK,
                        "ovation.internal.transfers.batch=" + USERS / PIECES,
                        "ovation.internal.transfers.pause=100ms");
        instances = List.of(stage.start(small), stage.start(small));
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    @Test
    void countsEqualRowsAtEveryCommitUnderConcurrentWrites() throws Exception {
        var crowd = Stage.meanwhile(() -> new Crowd(SEED, instances, ENTITIES).run(31, 61));
        String file = Imports.everywhere(NOTES, ENTITIES, USERS);
        String job = Imports.id(Imports.send(instances.getFirst(), "kind=reactions", CSV, file));
        var done = Stage.meanwhile(() -> Imports.done(instances.getLast(), job));
        while (!done.isDone()) {
            assertThat(stage.rows(Invariants.COUNTS_UNEQUAL_ROWS)).isEmpty();
        }

        var report = done.get().at("/report");
        assertThat(report.at("/applied").intValue()).isEqualTo(USERS * ENTITIES.size());
        Crowd.assertShown(crowd.get());
        for (String entity : ENTITIES) {
            for (Instance instance : instances) {
                assertThat(Stage.counts(instance.read(NOTES, entity, "imported-0")))
                        .as("hot state of %s", entity)
                        .containsEntry("🔥", stage.count(NOTES, entity, "🔥"));
                assertThat(Stage.own(instance.read(NOTES, entity, "imported-7")))
                        .containsExactly("🔥");
            }
        }
        stage.assertSound();
    }

    /** Each partition takes a step of its own, because the time of a step allows no second one. */
    @Test
    void looksAtEachPartitionOnce() {
        var file = new StringBuilder(Imports.HEADER);
        for (int i = 0; i < 100; i++) {
            for (String reaction : List.of("👍", "👎")) {
                file.append("%s,both-%d,user-%d,%s,%d\n".formatted(POSTS, i, i, reaction, i));
            }
        }
        try (var hasty = Stage.open()) {
            Instance service =
                    hasty.start(Patience.longWith("ovation.internal.transfers.max-lock-time=0s"));

            var report = Imports.run(service, "kind=reactions", file.toString()).at("/report");

            assertThat(report.at("/mutually_exclusive_reactions/count").intValue()).isEqualTo(100);
            assertThat(report.at("/mutually_exclusive_reactions/first").valueStream())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void anInterruptedUploadContinuesByItsKey() throws Exception {
        String file = numbered("broken", 3 * CHUNK + 100);
        breakOff(file.substring(0, file.indexOf("u" + (2 * CHUNK + 50))));
        String id = stage.rows("select max(job_id) from job").getFirst();
        Wait.until(
                "the upload is interrupted",
                () -> stage.rows("select holder from job where job_id = " + id).contains(""));
        assertThat(stage.rows("select n from import_row where job_id = " + id))
                .hasSizeBetween(CHUNK, 2 * CHUNK + 50);
        String[] header = {"Idempotency-Key", "broken-off"};

        Answer another =
                Imports.send(
                        instances.getLast(),
                        "kind=reactions",
                        CSV,
                        numbered("other", CHUNK),
                        header);
        assertThat(Crowd.code(another)).isEqualTo("idempotency-mismatch");
        var again = new AtomicReference<Answer>();
        Wait.until(
                "the upload may be resumed",
                () -> {
                    again.set(
                            Imports.send(instances.getLast(), "kind=reactions", CSV, file, header));
                    return again.get().status() != 409;
                });

        assertThat(Imports.id(again.get())).isEqualTo(id);
        var job = Imports.done(instances.getFirst(), id);
        assertThat(job.at("/total").intValue()).isEqualTo(3 * CHUNK + 100);
        assertThat(job.at("/report/applied").intValue()).isEqualTo(3 * CHUNK + 100);
        assertThat(stage.count(POSTS, "broken", "👍")).isEqualTo(3 * CHUNK + 100);
        stage.assertSound();
    }

    private static String numbered(String entity, int rows) {
        var file = new StringBuilder(HEADER);
        for (int i = 0; i < rows; i++) {
            file.append("%s,%s,u%d,👍,%d\n".formatted(POSTS, entity, i, i));
        }
        return file.toString();
    }

    /** Sends the beginning of a larger file and closes the connection. */
    private static void breakOff(String part) throws IOException {
        byte[] body = part.getBytes(StandardCharsets.UTF_8);
        String head =
                RawHttp.head(
                        "POST",
                        "/imports?kind=reactions",
                        "Content-Type: text/csv",
                        "Idempotency-Key: broken-off",
                        "Content-Length: " + (body.length + 100_000));
        try (var socket = new Socket("127.0.0.1", instances.getFirst().port())) {
            socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            Wait.until(
                    "a chunk is staged",
                    () ->
                            !stage.rows(
                                            """
                                            select n from import_row join job using (job_id)
                                            where  key = 'broken-off' and n = ?
                                            """,
                                            CHUNK)
                                    .isEmpty());
        }
    }

    @Test
    @Tag("one-postgres")
    void noFriendshipIsHalvedThatEndsMeanwhile() throws Exception {
        var one = instances.getFirst();
        Imports.run(one, "kind=friends", "user_id,friend_id\n1,9\n");
        JsonNode job;
        try (var making = stage.hold("insert into friendship values ('5', '6'), ('6', '5')")) {
            String file = "user_id,friend_id\n1,9\n5,6\n";
            String id = Imports.id(Imports.send(one, "kind=friends", CSV, file));
            stage.awaitBlockedBy(making); // the import is between (1, 9) and (9, 1)
            one.send("DELETE", "/users/friends?user_id=1&friend_id=9", null);
            making.release();
            job = Imports.done(one, id);
        }

        assertThat(job.at("/report/rows").intValue()).isEqualTo(2);
        assertThat(
                        stage.rows(
                                """
                                select * from friendship f
                                where  not exists (select from friendship g
                                                   where  g.user_id = f.friend_id
                                                   and    g.friend_id = f.user_id)
                                """))
                .isEmpty();
        assertThat(stage.rows("select friend_id from friendship where user_id = '6'"))
                .containsExactly("5");
    }

    /** Over HTTP/1.1: Tomcat ends a stream of HTTP/2 in order; only the last line is missing. */
    @Test
    void anExportThatFailsOnItsWayIsNotTakenForWhole() throws Exception {
        stage.sql.update(
                """
                insert into user_profile (user_id, display_name)
                select 'export-' || n, repeat('x', 250) from generate_series(1, 100000) n
                """);
        var request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:%d/exports?kind=users"
                                                .formatted(instances.getFirst().port())))
                        .build();
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                var body = client.send(request, BodyHandlers.ofInputStream()).body()) {
            assertThat(body.read()).isEqualTo('u');
            stage.sql.execute("alter table user_profile rename to gone");

            assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
        } finally {
            stage.sql.execute("alter table if exists gone rename to user_profile");
            stage.sql.update("delete from user_profile where user_id like 'export-%'");
        }
    }

    @Test
    void anExportThatIsImportedIsTheSameDatabase() {
        var one = instances.getFirst();
        Imports.run(one, "kind=users", "user_id,display_name\nann,\"Ann, the \"\"A\"\"\"\nben,#\n");
        Imports.run(
                one,
                "kind=users",
                "user_id,display_name,avatar_url\nben,,https://example.org/b\ncat,,https://example.org/c\n");
        Imports.run(one, "kind=friends", "user_id,friend_id\nann,ben\nzoe,ann\n\"#\",zoe\n");
        Imports.run(one, "kind=reactions", numbered("exported", CHUNK));
        assertThat(one.add(NOTES, "\\.,\"\\N", "ann", "❤️").status()).isEqualTo(200);
        stage.awaitDrained();
        try (var elsewhere = Stage.open()) {
            var two = elsewhere.start(Patience.LONG);
            for (String kind : List.of("users", "friends", "reactions")) {
                for (String type : List.of(CSV, Imports.NDJSON)) {
                    Answer file = one.send("GET", "/exports?kind=" + kind, null, "Accept", type);
                    var report =
                            Imports.done(
                                            two,
                                            Imports.id(
                                                    Imports.send(
                                                            two,
                                                            "kind=" + kind,
                                                            type,
                                                            file.body())))
                                    .at("/report");
                    assertThat(report.at("/bad/count").intValue()).isZero();
                }
            }

            for (String table :
                    List.of(
                            "select * from named_reaction order by 1, 2, 3, 4",
                            "select namespace, entity, reaction, count from named_counter order by 1, 2, 3",
                            "select * from user_profile order by 1",
                            "select * from friendship order by 1, 2")) {
                assertThat(elsewhere.rows(table)).isNotEmpty().isEqualTo(stage.rows(table));
            }
            elsewhere.assertSound();
        }
    }
}
