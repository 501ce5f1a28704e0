package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;
import static dev.ovation.testing.Gzip.zipped;
import static dev.ovation.testing.Imports.CSV;
import static dev.ovation.testing.Imports.HEADER;
import static dev.ovation.testing.Imports.NDJSON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;
import dev.ovation.web.RawHttp;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Uploads that are too large or incomplete. */
@Beside
class ImportBoundsTest {

    private static final int ROWS = 377;
    private static final String KIND = "kind=reactions";

    private static Stage stage;
    private static Instance service;

    /** Accepts one upload at a time, and waits for slow clients as long as a service does. */
    private static Instance hurried;

    @BeforeAll
    static void open() {
        stage = Stage.open();
        service =
                stage.start(
                        Patience.longWith(
                                "ovation.internal.transfers.max-concurrent=1",
                                "ovation.internal.transfers.rows=" + ROWS,
                                "ovation.internal.transfers.bytes=1MB"));
        hurried =
                stage.start(
                        Patience.longWith(
                                "ovation.internal.transfers.max-concurrent=1",
                                "ovation.internal.http.body-grace=5s"));
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    @Test
    void aFileMayHaveAsManyRowsAsItMay() {
        Imports.run(service, KIND, rows("enough", ROWS) + "not a row\n");

        assertThat(stage.count(POSTS, "enough", "👍")).isEqualTo(ROWS);
    }

    @Test
    void aFileOfMoreRowsIsRefusedAndNothingOfItIsMoved() {
        Answer refused = Imports.send(service, KIND, CSV, rows("rows", ROWS + 1), key("rows"));

        assertRefused(refused, "has more than 377 rows");
        assertThat(stage.rows("select state from job where key = 'rows'"))
                .as("its key does not resume it")
                .isSubsetOf("failed");
        assertThat(stage.rows("select from named_counter where entity = 'rows'")).isEmpty();
    }

    @Test
    void aFileOfMoreBytesIsRefused() {
        String file = rows("bytes", 1) + "\n".repeat(1 << 20);

        assertRefused(
                Imports.send(service, KIND, CSV, file),
                "has more than 1048576 bytes, uncompressed");
        assertRefused(zip(service, zipped(file)), "has more than 1048576 bytes, uncompressed");
    }

    @Test
    void aBombIsRefused() {
        byte[] bomb = zipped(HEADER + "\n".repeat(11 << 20));

        assertRefused(zip(hurried, bomb), "is compressed more than 200 to 1, after 10 MB");
    }

    @Test
    void aLineThatNestsTooDeepIsABadLine() {
        String file = "[".repeat(501) + "\n" + "{\"user_id\":".repeat(17) + "\n";

        var job =
                Imports.done(
                        service,
                        Imports.id(
                                Imports.send(service, KIND + "&namespace_id=posts", NDJSON, file)));

        assertThat(job.at("/report/bad/count").intValue()).isEqualTo(2);
        assertThat(job.at("/report/bad/first/0/problem").stringValue())
                .startsWith("is not JSON: it nests deeper than 16 levels");
    }

    /** The answer 100 (Continue) shows that the service reads the upload. */
    @Test
    void anUploadWithoutBytesDoesNotBlockOtherUploads() throws Exception {
        try (var silent = new Upload(service, "Expect: 100-continue")) {
            assertThat(silent.line()).isEqualTo("HTTP/1.1 100 ");

            Imports.run(service, KIND, rows("meanwhile", 1));
        }
        assertThat(stage.count(POSTS, "meanwhile", "👍")).isEqualTo(1);
    }

    /** The job starts when the upload has its place: no other upload may take the place first. */
    @Test
    void aFileThatTricklesLosesItsPlace() throws Exception {
        try (var slow = new Upload(hurried, "Expect: 100-continue", "Idempotency-Key: slow")) {
            assertThat(slow.line()).isEqualTo("HTTP/1.1 100 ");
            slow.send(HEADER);
            Wait.until(
                    "the file has its place",
                    () -> !stage.rows("select state from job where key = 'slow'").isEmpty());
            Wait.until(
                    "another upload is accepted",
                    () -> {
                        slow.trickle();
                        return Imports.send(hurried, KIND, CSV, rows("after", 1)).status() == 202;
                    });
            assertThat(slow.line()).isEmpty();
            assertThat(slow.line()).startsWith("HTTP/1.1 408");
        }
    }

    private static void assertRefused(Answer answer, String message) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().at("/violations/0/field").stringValue()).isEqualTo("body");
        assertThat(answer.json().at("/violations/0/message").stringValue()).isEqualTo(message);
    }

    private static String rows(String entity, int rows) {
        var file = new StringBuilder(HEADER);
        for (int i = 0; i < rows; i++) {
            file.append("%s,%s,u%d,👍,%d\n".formatted(POSTS, entity, i, i));
        }
        return file.toString();
    }

    private static String[] key(String key) {
        return new String[] {"Idempotency-Key", key};
    }

    private static Answer zip(Instance instance, byte[] file) {
        String[] headers = {"Content-Type", CSV, "Content-Encoding", "gzip"};
        return instance.sendBytes("POST", "/imports?" + KIND, file, headers);
    }

    /** An announced upload, whose content the test sends or withholds. */
    private static final class Upload implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader in;

        Upload(Instance instance, String... headers) throws IOException {
            socket = new Socket("127.0.0.1", instance.port());
            socket.setSoTimeout(120_000);
            in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            var all = new ArrayList<>(List.of(headers));
            all.add("Content-Type: " + CSV);
            all.add("Content-Length: 100000");
            String head = RawHttp.head("POST", "/imports?" + KIND, all.toArray(String[]::new));
            send(head + "\r\n");
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Sends a byte if the connection is open. */
        void trickle() {
            try {
                send("x");
            } catch (IOException e) {
                return; // the service closed the connection
            }
        }

        String line() throws IOException {
            return in.readLine();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
