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

/** HTTP/2 with prior knowledge, frame by frame, and the refused upgrade to it. */
@SpringBootTest(classes = WebTestApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class Http2Test {

    private static final int SETTINGS = 4;

    /** With an empty settings frame, whose type is the fourth byte. */
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
                    .getBytes(StandardCharsets.US_ASCII);

    private static final int MAX_CONCURRENT_STREAMS = 3;

    @Test
    void aConnectionMayHave32Streams(@LocalServerPort int port) throws IOException {
        assertThat(settings(port)).containsEntry(MAX_CONCURRENT_STREAMS, 32);
    }

    /** Also when the request has a body beyond the buffer that Tomcat has for upgrades, 4 KB. */
    @Test
    void anOfferToUpgradeIsAnsweredOverHttp11(@LocalServerPort int port) {
        RawHttp.Reply ping = RawHttp.send(port, offer("GET /ping", 0), "");
        RawHttp.Reply body =
                RawHttp.send(port, offer("POST /echo/body", 20_000), " ".repeat(20_000));

        assertThat(ping.status()).isEqualTo(200);
        assertThat(ping.body()).isEqualTo("pong");
        assertThat(body.body()).contains("\"limit\":1024"); // the controller's own
    }

    private static String offer(String request, int length) {
        return """
        %s HTTP/1.1\r
        Host: localhost\r
        Connection: close, Upgrade, HTTP2-Settings\r
        Upgrade: h2c\r
        HTTP2-Settings: AAMAAABkAAQAAP__\r
        Content-Length: %d\r
        """
                .formatted(request, length);
    }

    /** With another number of streams. */
    @Nested
    @TestPropertySource(properties = "ovation.internal.http.streams=7")
    class WithFewStreams {

        @Test
        void theSettingsFrameStatesTheStreamLimit(@LocalServerPort int port) throws IOException {
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
        return socket;
    }
}
