package dev.ovation.transfer.file;

import static dev.ovation.testing.Gzip.zipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.zip.ZipException;

class GzipBodyTest {

    @Test
    void goesOnAfterAPauseBetweenTwoMembers() throws Exception {
        assertThat(text(arriving(zipped("a,"), zipped("b,"), zipped("c")))).isEqualTo("a,b,c");
    }

    @Test
    void endsWithItsOnlyMember() throws Exception {
        assertThat(text(arriving(zipped("a")))).isEqualTo("a");
    }

    @Test
    void doesNotTakeGarbageForTheEnd() {
        assertThatThrownBy(() -> text(arriving(zipped("a"), new byte[377])))
                .isInstanceOf(ZipException.class);
    }

    /** Gzip compresses 1,000 zeros into one byte. */
    @Test
    void isRefusedWhenItIsABomb() {
        byte[] zeros = new byte[GzipBody.UNJUDGED + (1 << 20)];

        assertThatThrownBy(() -> text(arriving(zipped(zeros))))
                .isInstanceOf(TooMuchException.class)
                .hasMessage("is compressed more than 200 to 1, after 10 MB");
    }

    @Test
    void isNoBombAsLongAsItIsSmall() throws Exception {
        assertThat(text(arriving(zipped(new byte[GzipBody.UNJUDGED])))).hasSize(GzipBody.UNJUDGED);
    }

    @Test
    void isNoBombWhenItsRowsFollowAPattern() throws Exception {
        var rows = new StringBuilder();
        for (int i = 0; rows.length() <= 2 * GzipBody.UNJUDGED; i++) {
            rows.append("posts,post,user-%d,like,%d\n".formatted(i, 1000 + i));
        }

        assertThat(text(arriving(zipped(rows.toString())))).hasSameSizeAs(rows);
    }

    @Test
    void isRefusedWhenNothingIsInItsManyMembers() throws Exception {
        byte[] empty = zipped("");
        var members = new ByteArrayOutputStream();
        for (int i = 0; i < 40_000; i++) {
            members.write(empty);
        }

        assertThatThrownBy(() -> text(arriving(members.toByteArray())))
                .isInstanceOf(ZipException.class)
                .hasMessageContaining("members");
    }

    /** Delivers one part after the other; a read at the end of a part waits. */
    private static InputStream arriving(byte[]... parts) {
        var streams = Arrays.stream(parts).<InputStream>map(ByteArrayInputStream::new).toList();
        return new SequenceInputStream(Collections.enumeration(streams));
    }

    private static String text(InputStream in) throws IOException {
        try (var body = new GzipBody(in)) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
