package dev.ovation.web.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.tomcat.PacedChannel.Http2Frames;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

class Http2FramesTest {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PING = 6;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Http2Frames frames = new Http2Frames();

    @Test
    void aFrameEndsWithItsLastByteHoweverItsBytesCome() {
        frames.take(ByteBuffer.wrap(PREFACE));
        byte[] ping = frame(PING, 0, 8);

        for (int i = 0; i < ping.length; i++) {
            assertThat(frames.parts()).isZero();
            frames.take(ByteBuffer.wrap(ping, i, 1));
            assertThat(frames.isWithinPart()).isEqualTo(i < ping.length - 1);
        }
        assertThat(frames.parts()).isEqualTo(1);
    }

    @Test
    void thePrefaceBelongsToTheConnection() {
        assertThat(frames.isWithinPart()).isTrue();
        frames.take(ByteBuffer.wrap(PREFACE, 0, 23));
        assertThat(frames.isWithinPart()).isTrue();

        frames.take(ByteBuffer.wrap(PREFACE, 23, 1));

        assertThat(frames.isWithinPart()).isFalse();
    }

    @Test
    void aHeaderEndsWithTheLastOfItsFrames() {
        frames.take(ByteBuffer.wrap(PREFACE));
        frames.take(ByteBuffer.wrap(frame(HEADERS, END_STREAM, 700)));
        assertThat(frames.isWithinPart()).isTrue();
        frames.take(ByteBuffer.wrap(frame(CONTINUATION, 0, 0)));
        assertThat(frames.isWithinPart()).isTrue();
        assertThat(frames.parts()).isZero();

        frames.take(ByteBuffer.wrap(frame(CONTINUATION, END_HEADERS, 3)));

        assertThat(frames.isWithinPart()).isFalse();
        assertThat(frames.parts()).isEqualTo(1);
    }

    @Test
    void manyFramesComeAtOnce() {
        var all = ByteBuffer.allocate(100_000).put(PREFACE);
        all.put(frame(HEADERS, END_HEADERS, 20)).put(frame(DATA, END_STREAM, 70_000));
        all.put(frame(DATA, 0, 0)).put(frame(PING, 0, 8), 0, 5).flip();

        frames.take(all);

        assertThat(all.hasRemaining()).isFalse();
        assertThat(frames.parts()).isEqualTo(3);
        assertThat(frames.isWithinPart()).isTrue();
    }

    @Test
    void theContentOfAHeaderIsNone() {
        frames.take(ByteBuffer.wrap(PREFACE));
        frames.take(ByteBuffer.wrap(frame(HEADERS, 0, 9), 0, 12));
        assertThat(frames.isWithinContent()).isFalse();
        frames.take(ByteBuffer.wrap(new byte[6]));
        frames.take(ByteBuffer.wrap(frame(CONTINUATION, END_HEADERS, 9), 0, 12));
        assertThat(frames.isWithinContent()).isFalse();
        frames.take(ByteBuffer.wrap(new byte[6]));

        frames.take(ByteBuffer.wrap(frame(DATA, END_HEADERS, 9), 0, 12));
        assertThat(frames.isWithinContent()).isTrue();
        frames.take(ByteBuffer.wrap(new byte[6]));
        assertThat(frames.isWithinContent()).isFalse();
    }

    private static byte[] frame(int type, int flags, int length) {
        return ByteBuffer.allocate(9 + length)
                .put((byte) (length >> 16))
                .putShort((short) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(1)
                .array();
    }
}
