package dev.ovation.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Gzip;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;

class GzipAnswerTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 1024, 1025, 65_535, 377_377})
    void aBodyComesOutAsItWentIn(int size) throws IOException {
        byte[] text = "{\"count\":1},".repeat(1 + size / 12).getBytes(StandardCharsets.UTF_8);

        assertThat(Gzip.unzipped(gzip(text))).isEqualTo(text);
    }

    /** Such bytes become more, so the buffer has to grow. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 377_377})
    void soDoBytesThatCannotBeCompressed(int size) throws IOException {
        var random = new byte[size];
        new Random(377).nextBytes(random);

        assertThat(Gzip.unzipped(gzip(random))).isEqualTo(random);
    }

    @Test
    void deflatersAreUsedAgainByManyAtOnce() {
        assertThat(
                        IntStream.range(0, 377)
                                .parallel()
                                .mapToObj(n -> ("body " + n + " ").repeat(377))
                                .filter(text -> !text.equals(roundTrip(text)))
                                .toList())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip                     | true",
                "GZip                     | true",
                "x-gzip                   | true",
                "br, gzip;q=0.5           | true",
                "br;q=1.0,gzip; q=0.001   | true",
                "*                        | true",
                "identity;q=0.5, *;q=0.1  | true",
                "''                       | false",
                "br, zstd                 | false",
                "identity                 | false",
                "gzip;q=0                 | false",
                "gzip ; Q = 0.000, *      | false",
                "*, gzip;q=0              | false",
                "*;q=0                    | false",
                "gzipped                  | false"
            })
    void theHeaderSaysWhetherGzipIsAccepted(String header, boolean accepted) {
        var request = new MockHttpServletRequest();
        request.addHeader("Accept-Encoding", header);

        assertThat(GzipAnswer.isAccepted(request)).isEqualTo(accepted);
    }

    @Test
    void headersOfOneNameCountTogether() {
        var request = new MockHttpServletRequest();
        request.addHeader("Accept-Encoding", "br");
        request.addHeader("Accept-Encoding", "gzip");

        assertThat(GzipAnswer.isAccepted(request)).isTrue();
        assertThat(GzipAnswer.isAccepted(new MockHttpServletRequest())).isFalse();
    }

    private static String roundTrip(String text) {
        try {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            return new String(Gzip.unzipped(gzip(body)), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static byte[] gzip(byte[] body) throws IOException {
        var response = new MockHttpServletResponse();
        GzipAnswer.of(body).writeTo(response);
        byte[] sent = response.getContentAsByteArray();
        assertThat(response.getHeader("Content-Encoding")).isEqualTo("gzip");
        assertThat(response.getContentLength()).isEqualTo(sent.length);
        return sent;
    }
}
