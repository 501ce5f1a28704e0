package dev.ovation.credential;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.ovation.testing.LoopbackServer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** An issuer of tokens with an HTTP server for its keys. */
public final class TestIssuer implements AutoCloseable {

    public static final String AUDIENCE = "ovation";

    private static final int BITS = 2048;

    /**
     * The first key of each issuer, and a key of no issuer; they are shared, because the creation
     * of a key takes a second.
     */
    private static final RSAKey FIRST = make();

    private static final RSAKey OTHER = make();

    private final HttpServer server;
    private final List<RSAKey> published = new CopyOnWriteArrayList<>();

    /** Number of requests for its keys. */
    public final AtomicInteger asked = new AtomicInteger();

    /** If true, requests for its keys fail. */
    public volatile boolean down;

    /** If true, its answers arrive byte by byte without an end. */
    public volatile boolean trickles;

    private volatile CountDownLatch answers = new CountDownLatch(0);

    /** Creates an issuer with one key. */
    public TestIssuer() {
        server = LoopbackServer.create();
        server.createContext("/jwks", this::keys);
        server.createContext("/.well-known/openid-configuration", this::discovery);
        server.start();
        published.add(key());
    }

    /** The id of the issuer, which is also its address. */
    public String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The settings of a service that accepts its tokens. */
    public String[] settings() {
        String prefix = "spring.security.oauth2.resourceserver.jwt.";
        return new String[] {
            prefix + "issuer-uri=" + uri(), prefix + "audiences=" + AUDIENCE,
        };
    }

    /** Publishes an additional key. */
    public RSAKey publish(String id) {
        RSAKey other = unpublished(id);
        published.add(other);
        return other;
    }

    /** Stops publishing this key. */
    void withdraw(RSAKey withdrawn) {
        published.remove(withdrawn);
    }

    /** Leaves requests without an answer, on connections that stay open. */
    void hang() {
        answers = new CountDownLatch(1);
    }

    /** Answers all waiting requests, and later ones. */
    void goOn() {
        answers.countDown();
    }

    /** Its public key in PEM format. */
    byte[] pem() throws JOSEException {
        byte[] encoded = FIRST.toRSAPublicKey().getEncoded();
        return "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
                .formatted(Base64.getMimeEncoder().encodeToString(encoded))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** A key that no issuer has published. */
    public static RSAKey unpublished(String id) {
        return new RSAKey.Builder(OTHER).keyID(id).build();
    }

    public RSAKey key() {
        return FIRST;
    }

    private static RSAKey make() {
        try {
            return new RSAKeyGenerator(BITS).keyID("first").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Claims that are valid for ten minutes from now on. */
    public JWTClaimsSet.Builder claims(String user, String scope, Instant now) {
        return new JWTClaimsSet.Builder()
                .issuer(uri())
                .audience(AUDIENCE)
                .subject(user)
                .claim("scope", scope)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(Duration.ofMinutes(10))));
    }

    /** A token with these claims, signed by its own key. */
    public String token(JWTClaimsSet.Builder claims) {
        return token(claims, FIRST);
    }

    /** A token that is signed by the given key. */
    public static String token(JWTClaimsSet.Builder claims, RSAKey by) {
        return token(claims, by, JOSEObjectType.JWT);
    }

    static String token(JWTClaimsSet.Builder claims, RSAKey by, JOSEObjectType type) {
        var header =
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(by.getKeyID()).type(type).build();
        var token = new SignedJWT(header, claims.build());
        try {
            token.sign(new RSASSASigner(by));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    private void keys(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        answer(exchange, new JWKSet(List.copyOf(published)).toPublicJWKSet().toString());
    }

    private void discovery(HttpExchange exchange) throws IOException {
        answer(exchange, "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/jwks\"}".formatted(uri(), uri()));
    }

    private void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            if (trickles) {
                exchange.sendResponseHeaders(200, 0);
                while (trickles) { // until the client disconnects
                    exchange.getResponseBody().write(' ');
                    exchange.getResponseBody().flush();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
            }
            answers.await();
            if (down) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        goOn();
        server.stop(0);
    }
}
