package dev.ovation.api;

import static dev.ovation.testing.Gzip.zipped;
import static dev.ovation.testing.Imports.CSV;
import static dev.ovation.testing.Imports.HEADER;
import static dev.ovation.testing.Imports.NDJSON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;
import dev.ovation.web.RawHttp;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

@DisplayName("POST /imports")
class ImportsApiTest extends ApiFixture {

    private static final String REACTIONS = "kind=reactions";

    @Test
    void movesReactionsIntoEntitiesThatAreHot() {
        given("posts", "ann", "👍");
        assertThat(counted("posts")).isEqualTo("👍 1");

        JsonNode job =
                Imports.run(
                        service,
                        REACTIONS,
                        HEADER
                                + line("posts", "ben", "👍", "2020-02-03T04:05:06.789Z")
                                + line("posts", "cleo", "❤", "1580702706789")
                                + line("posts", "ann", "👍", "0"));

        assertThat(job.at("/kind").stringValue()).isEqualTo("import-reactions");
        assertThat(job.at("/report/applied").longValue()).isEqualTo(2);
        assertThat(job.at("/report/unchanged").longValue()).isEqualTo(1);
        assertThat(job.at("/report/bad/count").longValue()).isZero();
        assertThat(counted("posts")).isEqualTo("👍 2, ❤️ 1");
        assertThat(own("posts", "ben")).containsExactly("👍");
        JsonNode first = seen("posts").at("/reactions_count/0");
        assertThat(text(first, "first_reacted_at")).isEqualTo("2020-02-03T04:05:06.789Z");
    }

    @Test
    void theSameFileTwiceChangesNothing() {
        String file =
                HEADER + line("letters", "ann", "a", "1000") + line("letters", "ben", "c", "2000");
        Imports.run(service, REACTIONS, file);
        JsonNode before = seen("letters");

        JsonNode again = Imports.run(other, REACTIONS, file);

        assertThat(again.at("/report/applied").longValue()).isZero();
        assertThat(again.at("/report/unchanged").longValue()).isEqualTo(2);
        assertThat(seen("letters")).isEqualTo(before);
    }

    @Test
    void aUserCountsOnceAsOneOfThePeople() throws Exception {
        String file =
                HEADER
                        + line("letters", "ann", "a", "1000")
                        + line("letters", "ann", "b", "2000")
                        + line("letters", "ben", "a", "3000");
        Imports.run(service, REACTIONS, file);
        assertThat(Rows.people("letters", entity)).isEqualTo(2);

        Imports.run(other, REACTIONS, HEADER + line("letters", "ann", "c", "4000"));
        assertThat(Rows.people("letters", entity)).isEqualTo(2);
    }

    @Test
    void invalidRowsAreSkippedAndReportedByLine() throws Exception {
        JsonNode job =
                Imports.run(
                        service,
                        REACTIONS,
                        HEADER
                                + "posts,\"x,ann,👍,1000\n"
                                + line("posts", "ann", "👍", "then")
                                + line("po sts", "ann", "👍", "1000")
                                + line("posts", "", "👍", "1000")
                                + line("posts", "ann", "👍", "2250-01-01T00:00:00Z")
                                + "posts,x\n"
                                + "\n"
                                + line("posts", "ann", "👍", "1000")
                                + "# count: 8\n");

        assertThat(job.at("/report/bad/count").longValue()).isEqualTo(7);
        assertThat(job.at("/report/bad/first").valueStream().map(one -> one.path("line").asInt(0)))
                .containsExactly(2, 3, 4, 5, 6, 7, 0);
        assertThat(job.at("/report/bad/first/6/problem").stringValue())
                .isEqualTo("the file states 8 rows, there are 7");
        assertThat(Rows.of("posts", entity)).containsExactly("ann 👍");
    }

    @Test
    void theReportHasOnlyViolationsThatTheImportTouched() throws Exception {
        Imports.run(
                service,
                REACTIONS,
                HEADER + line("pairs", "ann", "a", "1") + line("pairs", "ann", "b", "2"));

        assertThat(exclusiveAfter(line("pairs", "ann", "c", "3"))).isEqualTo(0);
        assertThat(exclusiveAfter(line("pairs", "ann", "b", "4"))).isEqualTo(1);
    }

    private long exclusiveAfter(String line) throws Exception {
        return Imports.run(service, REACTIONS, HEADER + line)
                .at("/report/mutually_exclusive_reactions/count")
                .longValue(0);
    }

    @Test
    void anImportBypassesTheRulesAndReportsViolations() throws Exception {
        JsonNode report =
                Imports.run(
                                service,
                                REACTIONS,
                                HEADER
                                        + line("pairs", "ann", "a", "1000")
                                        + line("pairs", "ann", "b", "1001")
                                        + line("pairs", "ben", "c", "1002")
                                        + line("pairs", "ben", "gone", "1003")
                                        + line("nowhere", "ben", "c", "1004"))
                        .at("/report");

        assertThat(report.at("/max_uniq_reactions/count").longValue()).isEqualTo(1);
        assertThat(report.at("/max_uniq_reactions/first/0/kinds").longValue()).isEqualTo(3);
        assertThat(text(report.at("/max_uniq_reactions/first/0"), "entity_id")).isEqualTo(entity);
        JsonNode exclusive = report.at("/mutually_exclusive_reactions");
        assertThat(exclusive.at("/count").longValue()).isEqualTo(1);
        assertThat(text(exclusive.at("/first/0"), "user_id")).isEqualTo("ann");
        assertThat(texts(exclusive.at("/first/0/reactions"))).containsExactly("a", "b");
        assertThat(text(report.at("/unknown_reactions/first/0"), "reaction_id")).isEqualTo("gone");
        assertThat(text(report.at("/unknown_namespaces/first/0"), "namespace_id"))
                .isEqualTo("nowhere");
        assertThat(Rows.of("nowhere", entity)).containsExactly("ben c");
        assertThat(counted("pairs")).contains("gone 1");
        assertRefused(add("pairs", "cleo", "d"), 403, "max-uniq-reactions");
    }

    @Test
    void exclusiveReactionsOfDifferentUsersAreNotReported() {
        JsonNode job =
                Imports.run(
                        service,
                        REACTIONS,
                        HEADER
                                + line("posts", "ann", "👍", "1000")
                                + line("posts", "ben", "👎", "1001"));

        assertThat(job.at("/report/mutually_exclusive_reactions").isMissingNode()).isTrue();
    }

    @Test
    void judgesEachNamespaceByRulesOfItsOwn() {
        String neighbour =
                IntStream.range(0, 10_000)
                        .mapToObj(n -> entity + n)
                        .filter(id -> partition("letters", id) == partition("posts", entity))
                        .findFirst()
                        .orElseThrow();
        JsonNode report =
                Imports.run(
                                service,
                                REACTIONS,
                                HEADER
                                        + line("posts", "ann", "👍", "1000")
                                        + line("posts", "ann", "👎", "1001")
                                        + "letters,%s,ben,b,1002\n".formatted(neighbour)
                                        + "letters,%s,ben,c,1003\n".formatted(neighbour)
                                        + line("single", "cleo", "a", "1004")
                                        + line("single", "cleo", "gone", "1005")
                                        + line("closed", "dan", "a", "1006"))
                        .at("/report");

        JsonNode exclusive = report.at("/mutually_exclusive_reactions");
        assertThat(exclusive.at("/count").longValue()).isEqualTo(2);
        assertThat(texts(exclusive.at("/first/0/reactions"))).containsExactly("b", "c");
        assertThat(text(exclusive.at("/first/1"), "user_id")).isEqualTo("ann");
        JsonNode kinds = report.at("/max_uniq_reactions");
        assertThat(kinds.at("/count").longValue()).isEqualTo(1);
        assertThat(text(kinds.at("/first/0"), "namespace_id")).isEqualTo("closed");
        assertThat(kinds.at("/first/0/kinds").longValue()).isEqualTo(1);
    }

    @Test
    void readsNdjsonAndNamespacesThatTheQueryNames() {
        String file =
                """
                {"entity_id":"%1$s","user_id":"ann","reaction_id":"a","reacted_at":1000}
                {"namespace_id":"single","entity_id":"%1$s","user_id":"ben","reaction_id":"b","reacted_at":"1970-01-01T00:00:02Z"}
                {"entity_id":"%1$s","user_id":7,"reaction_id":"a","reacted_at":1000}
                {"entity_id":
                {"count":4}
                """
                        .formatted(entity);

        JsonNode job =
                Imports.done(
                        service,
                        Imports.id(
                                Imports.send(
                                        service,
                                        REACTIONS + "&namespace_id=letters",
                                        NDJSON,
                                        file)));

        assertThat(job.at("/report/applied").longValue()).isEqualTo(2);
        assertThat(job.at("/report/bad/first").valueStream().map(one -> one.path("line").asInt(0)))
                .containsExactly(3, 4);
        assertThat(counted("letters")).isEqualTo("a 1");
        assertThat(counted("single")).isEqualTo("b 1");
    }

    @Test
    void takesGzip() throws Exception {
        byte[] file = zipped(HEADER + line("letters", "ann", "a", "1000"));

        Imports.done(service, zip(file).json().at("/job_id").stringValue());

        assertThat(counted("letters")).isEqualTo("a 1");
        Imports.done(
                service,
                zip(together(
                                file,
                                zipped(line("letters", "ben", "b", "1000")),
                                zipped(line("letters", "cleo", "b", "1000"))))
                        .json()
                        .at("/job_id")
                        .stringValue());
        assertThat(counted("letters")).isEqualTo("b 2, a 1");
        assertRefused(zip(together(file, new byte[377])), 400, "malformed-request");
        assertRefused(zip(new byte[] {1, 2, 3}), 400, "malformed-request");
        byte[] cut = Arrays.copyOf(file, file.length - 12);
        assertRefused(zip(cut), 400, "malformed-request");
    }

    @Test
    void theSameKeyIsTheSameImport() {
        String file = HEADER + line("letters", "ann", "a", "1000");
        String[] key = {"Idempotency-Key", entity};
        String id = Imports.id(Imports.send(service, REACTIONS, CSV, file, key));
        Imports.done(service, id);

        assertThat(Imports.id(Imports.send(other, REACTIONS, CSV, file, key))).isEqualTo(id);
        assertRefused(
                Imports.send(other, REACTIONS + "&namespace_id=posts", CSV, file, key),
                422,
                "idempotency-mismatch");
    }

    @Test
    void aMalformedImportIsRefusedAndCreatesNoJob() {
        JsonNode newest = newestJob();

        assertViolations(Imports.send(service, "", CSV, HEADER), "kind");
        assertViolations(
                Imports.send(service, "kind=x&namespace_id=a+b", CSV, ""), "kind", "namespace_id");
        assertViolations(
                Imports.send(service, "kind=users&namespace_id=posts", CSV, ""), "namespace_id");
        assertViolations(Imports.send(service, REACTIONS, CSV, ""), "body");
        assertViolations(Imports.send(service, REACTIONS, CSV, "a,b\n1,2\n"), "body");
        assertRefused(
                Imports.send(service, REACTIONS, "text/plain", ""), 415, "unsupported-media-type");
        assertRefused(
                Imports.send(service, "kind=pcc-likes", NDJSON, ""), 415, "unsupported-media-type");

        assertThat(newestJob()).isEqualTo(newest);
    }

    private JsonNode newestJob() {
        return service.get("/jobs?limit=1").json().at("/jobs/0/job_id");
    }

    @Test
    void theContestsFilesAreReadAsTheyAre() throws Exception {
        JsonNode users = Imports.run(service, "kind=pcc-users", sample("user.csv"));
        JsonNode friends = Imports.run(service, "kind=pcc-friends", sample("friends.csv"));
        JsonNode likes = Imports.run(service, "kind=pcc-likes", sample("like.csv"));

        assertThat(users.at("/report/applied").longValue()).isEqualTo(5);
        assertThat(friends.at("/report/applied").longValue()).isEqualTo(3);
        assertThat(friends.at("/report/unchanged").longValue()).isEqualTo(2);
        assertThat(friends.at("/report/bad/first/0/line").longValue()).isEqualTo(6);
        assertThat(likes.at("/report/applied").longValue()).isEqualTo(8);
        assertThat(likes.at("/report/unchanged").longValue()).isEqualTo(1);
        assertThat(likes.at("/report/objects_without_likes").longValue()).isEqualTo(2);
        assertThat(likes.at("/report/bad/first/0/line").longValue()).isEqualTo(5);
        assertThat(Rows.of("pcc", "901"))
                .containsExactly("11 like", "12 like", "13 like", "14 like");
        assertThat(Rows.of("pcc", "902")).containsExactly("12 like", "18446744073709551615 like");
        assertThat(Rows.of("pcc", "903")).isEmpty();
        assertThat(Rows.of("pcc", "905")).containsExactly("11 like", "14 like");
        assertThat(friendsOf("11")).containsExactly("12", "13", "18446744073709551615");
        assertThat(friendsOf("18446744073709551615")).containsExactly("11");
        for (String kind : List.of("user", "friends", "like")) {
            String query = "kind=pcc-" + (kind.equals("friends") ? kind : kind + "s");
            assertThat(
                            Imports.run(other, query, sample(kind + ".csv"))
                                    .at("/report/applied")
                                    .longValue())
                    .as(kind)
                    .isZero();
        }
    }

    @Test
    void aJobIsLookedUpListedAndCancelled() {
        String id = Imports.id(Imports.send(service, REACTIONS, CSV, HEADER));
        JsonNode job = Imports.done(other, id);

        assertThat(job.at("/report/rows").longValue()).isZero();
        assertThat(text(job, "started_at")).isLessThanOrEqualTo(text(job, "finished_at"));
        assertThat(service.get("/jobs?state=done").json().at("/jobs").valueStream()).contains(job);
        Answer cancelled = service.send("DELETE", "/jobs?job_id=" + id, null);
        assertThat(text(cancelled.json(), "state")).isEqualTo("done");
        Imports.run(service, REACTIONS, HEADER);
        JsonNode page = service.get("/jobs?limit=1").json();
        assertThat(page.at("/jobs")).hasSize(1);
        assertThat(
                        service.get("/jobs?limit=1&cursor=" + text(page, "next_cursor"))
                                .json()
                                .at("/jobs/0/job_id"))
                .isEqualTo(job.at("/job_id"));
        assertInvalidCursor(service.get("/jobs?cursor=x"));
        assertProblem(service.get("/jobs?job_id=0"), 404, "not-found");
        assertProblem(service.get("/jobs?job_id=x"), 404, "not-found");
        assertViolations(service.get("/jobs?state=x&limit=0"), "state", "limit");
        assertViolations(service.send("DELETE", "/jobs", null), "job_id");
    }

    @Test
    void aCancelledImportDeletesItsStagedRowsAndMergesNoMore() throws Exception {
        String id;
        try (var _ = HeldPartition.of(partition("letters"))) {
            id =
                    Imports.id(
                            Imports.send(
                                    service,
                                    REACTIONS,
                                    CSV,
                                    HEADER + line("letters", "ann", "a", "1000")));
            Wait.until(
                    "it runs",
                    () -> text(Imports.job(service.port(), id), "state").equals("running"));
            Answer cancelled = other.send("DELETE", "/jobs?job_id=" + id, null);
            assertThat(text(cancelled.json(), "state")).isEqualTo("cancelled");
        }

        Wait.until("its rows are deleted", () -> staged(id) == 0);
        assertThat(Rows.of("letters", entity)).isEmpty();
        given("letters", "ann", "a");
        assertThat(text(Imports.job(service.port(), id), "state")).isEqualTo("cancelled");
    }

    @Test
    void aCancelledUploadIsAnsweredWithStateCancelled() {
        String last = line("letters", "ann", "a", "1");
        String head =
                RawHttp.head(
                        "POST",
                        "/imports?" + REACTIONS,
                        "Content-Type: " + CSV,
                        "Idempotency-Key: " + entity,
                        "Content-Length: " + utf8(HEADER + last).length);

        var answer =
                RawHttp.exchange(
                        service.port(),
                        utf8(head + "\r\n" + HEADER),
                        () -> cancel(entity),
                        utf8(last));

        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        assertThat(answer.body()).contains("\"state\":\"cancelled\"");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Waits for the job of a key and cancels it. */
    private void cancel(String key) {
        Wait.until("the upload has a job", () -> job(key) != 0);
        other.send("DELETE", "/jobs?job_id=" + job(key), null);
    }

    private static long job(String key) {
        try (var connection = TwoInstances.database();
                var statement =
                        connection.prepareStatement("select job_id from job where key = ?")) {
            statement.setString(1, key);
            try (var row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void namesAndFriendsThatAreThereStay() {
        String user = "user-" + entity;
        String friends = "user_id,friend_id\n%1$s,ben\nben,%1$s\n%1$s,cleo\n".formatted(user);
        Imports.run(service, "kind=users", "user_id,display_name\n%s,Ann\n".formatted(user));
        Imports.run(service, "kind=friends", friends);

        JsonNode names =
                Imports.run(
                        service,
                        "kind=users",
                        "user_id,display_name\n%1$s,Anna\n%1$s2,Ben\n%1$s2,Benjamin\n"
                                .formatted(user));
        JsonNode pairs = Imports.run(service, "kind=friends", friends + user + ",dan\n");

        assertThat(names.at("/report/applied").longValue()).isEqualTo(1);
        assertThat(pairs.at("/report/applied").longValue()).isEqualTo(1);
        assertThat(service.get("/users?user_id=" + user).body()).contains("\"Ann\"");
        assertThat(service.get("/users?user_id=" + user + "2").body()).contains("\"Ben\"");
    }

    @Test
    void anAvatarMayComeWithOrWithoutAName() {
        String ann = "ann-" + entity;
        String ben = "ben-" + entity;
        Imports.run(service, "kind=users", "user_id,display_name\n%s,Ann\n".formatted(ann));

        JsonNode job =
                Imports.run(
                        service,
                        "kind=users",
                        "user_id,display_name,avatar_url\n%s,Anna,https://example.org/a\n"
                                        .formatted(ann)
                                + "%s,,https://example.org/b\n%sx,,http://example.org/c\n%sy,,\n"
                                        .formatted(ben, ben, ben));

        assertThat(job.at("/report/applied").longValue()).isEqualTo(2);
        assertThat(job.at("/report/bad/count").longValue()).isEqualTo(2);
        assertThat(service.get("/users?user_id=" + ann).json().toString())
                .contains("\"display_name\":\"Ann\"", "https://example.org/a");
        assertThat(service.get("/users?user_id=" + ben).json().toString())
                .contains("https://example.org/b")
                .doesNotContain("display_name");
    }

    /** Reads with a viewer, because a read without one may be as old as documented. */
    private JsonNode seen(String namespace) {
        return read(other, namespace, "details", "true", "user_id", "nobody").json();
    }

    private String counted(String namespace) {
        return counts(seen(namespace));
    }

    private String line(String namespace, String user, String reaction, String at) {
        return String.join(",", namespace, entity, user, reaction, at) + '\n';
    }

    private static byte[] together(byte[]... parts) {
        var whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    private Answer zip(byte[] body) {
        String[] headers = {"Content-Type", CSV, "Content-Encoding", "gzip"};
        return service.sendBytes("POST", "/imports?" + REACTIONS, body, headers);
    }

    private static String sample(String name) throws IOException {
        try (var in = ImportsApiTest.class.getResourceAsStream("/pcc/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String> friendsOf(String user) throws SQLException {
        try (var connection = TwoInstances.database();
                var statement =
                        connection.prepareStatement(
                                "select string_agg(friend_id, ' ' order by friend_id)"
                                        + " from friendship where user_id = ?")) {
            statement.setString(1, user);
            try (var row = statement.executeQuery()) {
                row.next();
                return List.of(row.getString(1).split(" "));
            }
        }
    }

    private static long staged(String job) throws SQLException {
        try (var connection = TwoInstances.database();
                var statement = connection.createStatement();
                var row =
                        statement.executeQuery(
                                "select count(*) from import_row where job_id = " + job)) {
            row.next();
            return row.getLong(1);
        }
    }
}
