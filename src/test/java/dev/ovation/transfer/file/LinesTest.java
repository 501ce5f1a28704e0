package dev.ovation.transfer.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

class LinesTest {

    @Test
    void endWithLfOrCrLfOrTheFile() throws Exception {
        assertThat(all(lines("a\nb\r\n\r\nc\rd\n\ne")))
                .containsExactly("a", "b", "", "c\rd", "", "e");
        assertThat(all(lines("a\r\n"))).containsExactly("a");
        assertThat(all(lines("a\r"))).containsExactly("a");
        assertThat(all(lines(""))).isEmpty();
    }

    @Test
    void mayArriveInChunksOfAnySize() throws Exception {
        var expected = IntStream.range(0, 3_770).mapToObj(n -> "é".repeat(n % 89) + n).toList();
        var bytes = String.join("\r\n", expected).getBytes(StandardCharsets.UTF_8);
        var oneByOne =
                new ByteArrayInputStream(bytes) {
                    @Override
                    public synchronized int read(byte[] to, int from, int length) {
                        return super.read(to, from, Math.min(length, 1));
                    }
                };

        assertThat(all(new Lines(oneByOne))).isEqualTo(expected);
        assertThat(all(new Lines(new ByteArrayInputStream(bytes)))).isEqualTo(expected);
    }

    @Test
    void aLineTooLongOrNotUtf8CostsOnlyThatLine() throws Exception {
        InputStream in =
                new ByteArrayInputStream(
                        ("a\n" + "x".repeat(Lines.MAX + 1) + "\nb\n\u00ff\nc")
                                .getBytes(StandardCharsets.ISO_8859_1));
        var lines = new Lines(in);

        assertThat(next(lines)).isEqualTo("a");
        assertThat(lines.next()).isTrue();
        assertThatThrownBy(lines::text).isInstanceOf(BadRowException.class);
        assertThat(next(lines)).isEqualTo("b");
        assertThat(lines.next()).isTrue();
        assertThatThrownBy(lines::text).isInstanceOf(BadRowException.class);
        assertThat(next(lines)).isEqualTo("c");
        assertThat(lines.number()).isEqualTo(5);
        assertThat(lines.next()).isFalse();
    }

    @Test
    void areReadByteByByteToTheirEnd() throws Exception {
        var lines = lines("ab\r\ncd");

        assertThat(lines.next()).isTrue();
        assertThat(new int[] {lines.read(), lines.read(), lines.read(), lines.read()})
                .containsExactly('a', 'b', -1, -1);
        assertThat(next(lines)).isEqualTo("cd");
    }

    @Test
    void beginBehindAByteOrderMark() throws Exception {
        assertThat(all(lines("\ufeffa\n\ufeffb"))).containsExactly("a", "\ufeffb");
    }

    private static Lines lines(String text) {
        return new Lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String next(Lines lines) throws IOException, BadRowException {
        assertThat(lines.next()).isTrue();
        return lines.text();
    }

    private static List<String> all(Lines lines) throws IOException, BadRowException {
        var all = new ArrayList<String>();
        while (lines.next()) {
            all.add(lines.text());
        }
        return all;
    }
}
