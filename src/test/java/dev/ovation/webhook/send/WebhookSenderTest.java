package dev.ovation.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

class WebhookSenderTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final String SECRET = "secret";
    private static final byte[] BODY = "[{\"a\":\"👍\"}]".getBytes(StandardCharsets.UTF_8);

    /** A server for one connection, which reads a request and writes an answer. */
    private static final class OneAnswer implements AutoCloseable {
        private final ServerSocket server;
        final CompletableFuture<String> request = new CompletableFuture<>();

        OneAnswer(ServerSocket server, Answering answering) {
            this.server = server;
            Thread.ofVirtual().start(() -> serve(answering));
        }

        OneAnswer(Answering answering) throws IOException {
            this(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()), answering);
        }

        static OneAnswer of(String answer) throws IOException {
            return new OneAnswer(
                    socket ->
                            socket.getOutputStream()
                                    .write(answer.getBytes(StandardCharsets.UTF_8)));
        }

        private void serve(Answering answering) {
            try (Socket socket = server.accept()) {
                request.complete(read(socket.getInputStream()));
                answering.answer(socket);
                socket.getOutputStream().flush();
            } catch (IOException e) {
                request.completeExceptionally(e);
            }
        }

        private static String read(InputStream in) throws IOException {
            var read = new ByteArrayOutputStream();
            while (!read.toString(StandardCharsets.UTF_8).endsWith("👍\"}]")) {
                int next = in.read();
                if (next < 0) {
                    throw new IOException("the request ends early");
                }
                read.write(next);
            }
            return read.toString(StandardCharsets.UTF_8);
        }

        String url(String host) {
            return "http://%s:%d/in?x=1".formatted(host, server.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private interface Answering {
        void answer(Socket socket) throws IOException;
    }

    private static void post(String url, Duration timeout) throws IOException {
        new WebhookSender(true, timeout, (SSLSocketFactory) SSLSocketFactory.getDefault())
                .post(url, Map.of("webhook-id", "msg_1"), BODY);
    }

    @Test
    void aRequestHasItsHeadersAndItsBody() throws IOException {
        try (var server = OneAnswer.of("HTTP/1.1 204 No Content\r\n\r\n")) {
            post(server.url("127.0.0.1"), LONG);
            String request = server.request.join();

            assertThat(request)
                    .startsWith("POST /in?x=1 HTTP/1.1\r\nHost: 127.0.0.1:")
                    .contains("\r\nContent-Length: " + BODY.length + "\r\n")
                    .contains("\r\nwebhook-id: msg_1\r\n")
                    .endsWith("\r\n\r\n" + new String(BODY, StandardCharsets.UTF_8));
        }
    }

    @Test
    void anInformationalAnswerIsNotTheLast() throws IOException {
        try (var server =
                OneAnswer.of(
                        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")) {
            post(server.url("127.0.0.1"), LONG);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 500 Oops, answered 500",
        "HTTP/1.1 302 Found, answered 302",
        "HTTP/1.1 199 Odd, without an answer",
        "SSH-2.0-server, does not speak HTTP"
    })
    void anotherAnswerIsAnError(String answer, String error) throws IOException {
        try (var server = OneAnswer.of(answer + "\r\nLocation: http://127.0.0.1/\r\n\r\n")) {
            assertThatThrownBy(() -> post(server.url("127.0.0.1"), LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(error);
        }
    }

    @Test
    void aSilentReceiverIsLeftAfterTheTimeout() throws IOException {
        try (var server =
                new OneAnswer(
                        socket -> {
                            int end = socket.getInputStream().read(); // until the sender closes
                            assertThat(end).isNegative();
                        })) {
            assertThatThrownBy(() -> post(server.url("127.0.0.1"), SHORT))
                    .isInstanceOf(IOException.class);
        }
    }

    /** A time-out of each read alone would never end. */
    @Test
    void aReceiverThatTricklesIsLeftAfterTheTimeout() throws IOException {
        try (var server =
                new OneAnswer(
                        socket -> {
                            socket.getOutputStream().write("HTTP/1.1 200 OK".getBytes());
                            while (true) {
                                socket.getOutputStream().write(' ');
                                pause();
                            }
                        })) {
            assertThatThrownBy(() -> post(server.url("127.0.0.1"), SHORT))
                    .isInstanceOf(IOException.class);
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void anEndlessHeadIsNotReadToItsEnd() throws IOException {
        try (var server =
                new OneAnswer(
                        socket -> {
                            socket.getOutputStream().write("HTTP/1.1 ".getBytes());
                            var block = new byte[1000];
                            while (true) {
                                socket.getOutputStream().write(block);
                            }
                        })) {
            assertThatThrownBy(() -> post(server.url("127.0.0.1"), LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("too long a head");
        }
    }

    @Test
    void privateAddressesAreRefusedBeforeAConnection() throws IOException {
        var sender =
                new WebhookSender(false, LONG, (SSLSocketFactory) SSLSocketFactory.getDefault());
        try (var server = OneAnswer.of("HTTP/1.1 200 OK\r\n\r\n")) {
            String url = server.url("localhost");
            assertThatThrownBy(() -> sender.post(url.replace("http:", "https:"), Map.of(), BODY))
                    .hasMessageContaining("not allowed");
            assertThatThrownBy(() -> sender.post(url, Map.of(), BODY))
                    .hasMessageContaining("https");
            assertThat(server.request).isNotDone();
        }
    }

    @Test
    void aCertificateMustBeOfTheHost(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        int exit =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "receiver",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                file.toString(),
                                "-storepass",
                                SECRET,
                                "-validity",
                                "2")
                        .start()
                        .waitFor();
        assertThat(exit).isZero();
        SSLContext tls = context(file);
        var sender = new WebhookSender(true, LONG, tls.getSocketFactory());
        try (var server = secure(tls)) {
            sender.post(server.url("localhost").replace("http:", "https:"), Map.of(), BODY);
        }
        try (var server = secure(tls)) {
            String other = server.url("127.0.0.1").replace("http:", "https:");
            assertThatThrownBy(() -> sender.post(other, Map.of(), BODY))
                    .isInstanceOf(javax.net.ssl.SSLException.class);
        }
    }

    private static OneAnswer secure(SSLContext tls) throws IOException {
        return new OneAnswer(
                tls.getServerSocketFactory()
                        .createServerSocket(0, 1, InetAddress.getLoopbackAddress()),
                socket ->
                        socket.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8)));
    }

    private static SSLContext context(Path file) throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, SECRET.toCharArray());
        }
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, SECRET.toCharArray());
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("receiver", keys.getCertificate("receiver"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return tls;
    }
}
