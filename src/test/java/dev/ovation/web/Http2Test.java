package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** HTTP/2 with prior knowledge, frame by frame. */
@SpringBootTest(classes = WebTestApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class Http2Test {

    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int SETTINGS = 4;
    private static final int MAX_CONCURRENT_STREAMS = 3;

    @Test
    void aConnectionMayHave32Streams(@LocalServerPort int port) throws IOException {
        assertThat(settings(port)).containsEntry(MAX_CONCURRENT_STREAMS, 32);
    }

    /** Another number of streams. */
    @Nested
    @TestPropertySource(properties = "ovation.http.streams=7")
    class WithFewStreams {

        @Test
        void tellsClientsSo(@LocalServerPort int port) throws IOException {
            assertThat(settings(port)).containsEntry(MAX_CONCURRENT_STREAMS, 7);
        }
    }

    /** A deployment whose proxy speaks HTTP/1.1. */
    @Nested
    @TestPropertySource(properties = "server.http2.enabled=false")
    class SwitchedOff {

        @Test
        void isNotSpoken(@LocalServerPort int port) throws IOException {
            try (var socket = connect(port)) {
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(RawHttp.get(port, "/ping").body()).isEqualTo("pong");
        }
    }

    /** The settings that the server sends first. */
    private static Map<Integer, Integer> settings(int port) throws IOException {
        try (var socket = connect(port)) {
            var in = new DataInputStream(socket.getInputStream());
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            assertThat(in.readUnsignedByte()).isEqualTo(SETTINGS);
            in.skipNBytes(5);
            ByteBuffer frame = ByteBuffer.wrap(in.readNBytes(length));
            var settings = new HashMap<Integer, Integer>();
            while (frame.hasRemaining()) {
                settings.put((int) frame.getShort(), frame.getInt());
            }
            return settings;
        }
    }

    private static Socket connect(int port) throws IOException {
        var socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(PREFACE);
        socket.getOutputStream().write(new byte[] {0, 0, 0, SETTINGS, 0, 0, 0, 0, 0});
        return socket;
    }
}
