package dev.ovation.credential;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.Resource;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The public keys of an issuer, by HTTP. They are cached for five minutes, and longer while the
 * issuer cannot be reached; in the last of these minutes a background read refreshes them. An
 * unknown key id causes another read, but not more than twice in 30 seconds, so that a flood of
 * invented ids does not reach the issuer.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {

    private static final Duration KEPT = Duration.ofMinutes(5);
    private static final Duration BETWEEN_READS = Duration.ofSeconds(30);
    private static final Duration READ_AHEAD = Duration.ofMinutes(1);
    private static final int MAX_BYTES = 1 << 19;

    private final JWKSource<SecurityContext> kept;
    private volatile boolean known;

    /**
     * Creates the source without reading any key.
     *
     * @param uri URL of the keys; null to discover it from the issuer
     * @param timeout time for a request
     */
    IssuerKeys(String issuer, @Nullable String uri, Duration timeout) {
        this.kept =
                JWKSourceBuilder.create(new Remote(issuer, uri, timeout))
                        .cache(KEPT.toMillis(), timeout.toMillis())
                        .refreshAheadCache(READ_AHEAD.toMillis(), false)
                        .rateLimited(BETWEEN_READS.toMillis())
                        .outageTolerantForever()
                        .build();
    }

    /**
     * Returns the matching keys; none when keys are cached, and it is too early to read them again.
     *
     * @throws KeySourceException when the issuer cannot be reached
     */
    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
            throws KeySourceException {
        try {
            List<JWK> found = kept.get(selector, context);
            known = true;
            return found;
        } catch (RateLimitReachedException e) {
            if (known) {
                return List.of();
            }
            throw e;
        }
    }

    /** Reads the keys from the issuer at each call. */
    private static final class Remote implements JWKSetSource<SecurityContext> {

        private static final String OPENID = "/.well-known/openid-configuration";

        private final String issuer;
        private final @Nullable String uri;
        private final Duration timeout;
        private volatile @Nullable JWKSetSource<SecurityContext> found;

        Remote(String issuer, @Nullable String uri, Duration timeout) {
            this.issuer = issuer;
            this.uri = uri;
            this.timeout = timeout;
        }

        @Override
        public JWKSet getJWKSet(
                JWKSetCacheRefreshEvaluator evaluator, long now, @Nullable SecurityContext context)
                throws KeySourceException {
            JWKSetSource<SecurityContext> source = found;
            if (source == null) {
                source = new URLBasedJWKSetSource<>(location(), this::retrieve);
                found = source;
            }
            return source.getJWKSet(evaluator, now, context);
        }

        private URL location() throws JWKSetUnavailableException {
            try {
                return uri == null ? discovered() : url(uri);
            } catch (IOException | ParseException e) {
                throw new JWKSetUnavailableException("keys of the issuer cannot be read", e);
            }
        }

        /** Finds the URL of the keys by OpenID Connect Discovery 1.0, section 4. */
        private URL discovered() throws IOException, ParseException {
            String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
            Map<String, Object> metadata =
                    JSONObjectUtils.parse(retrieve(url(base + OPENID)).getContent());
            if (!issuer.equals(metadata.get("issuer"))) {
                throw new IOException("another issuer");
            }
            return url(String.valueOf(metadata.get("jwks_uri")));
        }

        /**
         * Reads a URL. One time-out covers the whole exchange: an issuer that sends byte by byte
         * counts as unreachable.
         */
        private Resource retrieve(URL url) throws IOException {
            try (HttpClient http = HttpClient.newHttpClient()) {
                var request = HttpRequest.newBuilder(url.toURI()).timeout(timeout).build();
                var exchange =
                        http.sendAsync(
                                request, BodyHandlers.limiting(BodyHandlers.ofString(), MAX_BYTES));
                HttpResponse<String> answer;
                try {
                    answer = exchange.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
                } finally {
                    http.shutdownNow();
                }
                if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
                    throw new IOException(url + " answers " + answer.statusCode());
                }
                return new Resource(
                        answer.body(), answer.headers().firstValue("Content-Type").orElse(null));
            } catch (URISyntaxException | ExecutionException | TimeoutException e) {
                throw new IOException(url + " does not answer", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        private static URL url(String text) throws MalformedURLException {
            try {
                return URI.create(text).toURL();
            } catch (IllegalArgumentException _) {
                throw new MalformedURLException("not a URL");
            }
        }

        @Override
        public void close() {
            // No connection stays open between two requests.
        }
    }
}
