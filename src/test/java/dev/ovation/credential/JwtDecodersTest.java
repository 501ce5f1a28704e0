package dev.ovation.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.testing.Beside;
import dev.ovation.testing.MovedClock;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** JwtDecoders with tokens of the issuer, and with forged ones. */
@Beside
class JwtDecodersTest {

    private static final String SCOPE = "openid reactions:read reactions:write erase";

    /** Time in which the keys of an issuer are read twice at most. */
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final TestIssuer issuer = new TestIssuer();
    private final TestIssuer elsewhere = new TestIssuer();
    private final MovedClock clock = new MovedClock(Instant.parse("2026-11-22T12:00:00Z"));
    private final Credentials credentials = credentials(issuer.uri() + "/jwks");

    /** For an issuer that does not answer. Other credentials wait for longer than a pause lasts. */
    private final Credentials hasty =
            credentials(issuer.uri() + "/jwks", null, Duration.ofSeconds(2));

    @AfterEach
    void close() {
        issuer.close();
        elsewhere.close();
    }

    @Test
    void aTokenStandsForItsSubjectAlone() throws CredentialException {
        Principal ann = credentials.resolve(issuer.token(claims()));

        assertThat(ann.user()).isEqualTo("ann");
        assertThat(ann.mayActAs("ann")).isTrue();
        assertThat(ann.mayActAs("bob")).isFalse();
        assertThat(ann.mayEnterAll()).isTrue();
        assertThat(ann.getName()).doesNotContain("ann");
    }

    /** An issuer that grants any requested scope cannot create operators. */
    @Test
    void aTokenGrantsItsScopesExceptThoseOfOperators() throws CredentialException {
        Principal ann = credentials.resolve(issuer.token(claims()));

        assertThat(ann.may(Scope.REACTIONS_READ)).isTrue();
        assertThat(ann.may(Scope.REACTIONS_WRITE)).isTrue();
        assertThat(ann.may(Scope.CROWDS_READ)).isFalse();
        assertThat(ann.may(Scope.ERASE)).isFalse();
    }

    @Test
    void scopesMayBeAList() throws CredentialException {
        var claims = claims().claim("scope", null).claim("scp", List.of("crowds:read"));

        assertThat(credentials.resolve(issuer.token(claims)).may(Scope.CROWDS_READ)).isTrue();
    }

    @Test
    void aTokenMayBeForSomeNamespaces() throws CredentialException {
        var claims = claims().claim("ovation_namespaces", List.of("posts"));
        Principal ann = credentials.resolve(issuer.token(claims));

        assertThat(ann.mayEnter("posts")).isTrue();
        assertThat(ann.mayEnter("ratings")).isFalse();
        assertThat(ann.mayEnterAll()).isFalse();
    }

    @Test
    void anAccessTokenByItsOwnTypeIsAccepted() throws CredentialException {
        String token = TestIssuer.token(claims(), issuer.key(), new JOSEObjectType("at+jwt"));

        assertThat(credentials.resolve(token).user()).isEqualTo("ann");
    }

    /** Tokens of an attacker without a key of the issuer, or for another audience. */
    private enum Attack {
        NO_ALGORITHM,
        NO_ALGORITHM_IN_OTHER_LETTERS,
        NO_SIGNATURE,
        PUBLIC_KEY_AS_SECRET,
        OTHER_ALGORITHM,
        OTHER_KEY_OF_THIS_ID,
        UNKNOWN_KEY,
        KEY_IN_THE_HEADER,
        ADDRESS_OF_KEYS_IN_THE_HEADER,
        OTHER_CLAIMS_UNDER_THE_SIGNATURE,
        OTHER_ISSUER,
        NO_ISSUER,
        OTHER_AUDIENCE,
        NO_AUDIENCE,
        NO_END,
        ENDED,
        NOT_YET,
        NO_SUBJECT,
        SUBJECT_THAT_IS_NO_ID,
        OTHER_TYPE,
        TOO_LONG,
        NO_TOKEN
    }

    /** For each source of the keys. */
    @ParameterizedTest
    @EnumSource
    void anAttackIsRefused(Attack attack) throws JOSEException, CredentialException {
        String token = token(attack);

        for (Credentials each : List.of(credentials, credentials(null), credentialsOfFile())) {
            assertThat(each.resolve(issuer.token(claims())).user()).isEqualTo("ann");
            assertThatThrownBy(() -> each.resolve(token))
                    .isInstanceOfSatisfying(
                            CredentialException.class,
                            e -> {
                                assertThat(e.isUnavailable()).isFalse();
                                assertThat(e.getMessage()).doesNotContain("ann");
                            });
        }
    }

    private String token(Attack attack) throws JOSEException {
        Instant now = clock.instant();
        return switch (attack) {
            case NO_ALGORITHM -> new PlainJWT(claims().build()).serialize();
            case NO_ALGORITHM_IN_OTHER_LETTERS ->
                    Base64URL.encode("{\"alg\":\"nOnE\"}")
                            + issuer.token(claims())
                                    .replaceFirst("^[^.]*", "")
                                    .replaceFirst("[^.]*$", "");
            case NO_SIGNATURE -> issuer.token(claims()).replaceFirst("[^.]*$", "");
            case PUBLIC_KEY_AS_SECRET ->
                    signed(
                            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(),
                            new MACSigner(issuer.key().toRSAPublicKey().getEncoded()));
            case OTHER_ALGORITHM -> {
                var key = new ECKeyGenerator(Curve.P_256).keyID("first").generate();
                yield signed(
                        new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("first").build(),
                        new ECDSASigner(key));
            }
            case OTHER_KEY_OF_THIS_ID ->
                    TestIssuer.token(claims(), TestIssuer.unpublished("first"));
            case UNKNOWN_KEY -> TestIssuer.token(claims(), TestIssuer.unpublished("second"));
            case KEY_IN_THE_HEADER -> {
                RSAKey own = TestIssuer.unpublished("own");
                yield signed(
                        new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(own.toPublicJWK()).build(),
                        new RSASSASigner(own));
            }
            case ADDRESS_OF_KEYS_IN_THE_HEADER -> {
                RSAKey published = elsewhere.publish("second");
                yield signed(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID("second")
                                .jwkURL(URI.create(elsewhere.uri() + "/jwks"))
                                .build(),
                        new RSASSASigner(published));
            }
            case OTHER_CLAIMS_UNDER_THE_SIGNATURE -> {
                String[] ann = issuer.token(claims()).split("\\.");
                String[] bob = issuer.token(claims().subject("bob")).split("\\.");
                yield ann[0] + "." + bob[1] + "." + ann[2];
            }
            case OTHER_ISSUER -> issuer.token(claims().issuer("https://evil.example"));
            case NO_ISSUER -> issuer.token(claims().issuer(null));
            case OTHER_AUDIENCE -> issuer.token(claims().audience("shop"));
            case NO_AUDIENCE -> issuer.token(claims().audience((String) null));
            case NO_END -> issuer.token(claims().expirationTime(null));
            case ENDED -> issuer.token(claims().issueTime(null).expirationTime(Date.from(now)));
            case NOT_YET -> issuer.token(claims().notBeforeTime(Date.from(now.plusSeconds(61))));
            case NO_SUBJECT -> issuer.token(claims().subject(null));
            case SUBJECT_THAT_IS_NO_ID -> issuer.token(claims().subject("a\nb"));
            case OTHER_TYPE ->
                    TestIssuer.token(claims(), issuer.key(), new JOSEObjectType("logout+jwt"));
            case TOO_LONG -> issuer.token(claims().claim("more", "x".repeat(16_384)));
            case NO_TOKEN -> "a.b.c";
        };
    }

    private String signed(JWSHeader header, JWSSigner signer) throws JOSEException {
        var token = new SignedJWT(header, claims().build());
        token.sign(signer);
        return token.serialize();
    }

    /** Decoders ignore such characters, so each spelling would be a separate cache entry. */
    @ParameterizedTest
    @ValueSource(strings = {"=", "!!!!", "\t", " ", "."})
    void aTokenHasOneSpelling(String more) {
        String token = issuer.token(claims());

        assertThatThrownBy(() -> credentials.resolve(token + more))
                .isInstanceOf(CredentialException.class);
    }

    /** Each byte arrives within the time-out of a single read. */
    @Test
    void anIssuerThatSendsByteByByteIsAway() throws CredentialException {
        issuer.trickles = true;
        String token = issuer.token(claims());

        assertThatThrownBy(() -> hasty.resolve(token))
                .isInstanceOfSatisfying(
                        CredentialException.class, e -> assertThat(e.isUnavailable()).isTrue());
    }

    @Test
    void theEdgesOfItsTimeAreExact() throws CredentialException {
        Instant now = clock.instant();
        var ends = claims().expirationTime(Date.from(now.plusSeconds(1)));
        var begins = claims().notBeforeTime(Date.from(now.plusSeconds(60)));

        assertThat(credentials.resolve(issuer.token(ends)).user()).isEqualTo("ann");
        assertThat(credentials.resolve(issuer.token(begins)).user()).isEqualTo("ann");
    }

    @Test
    void aTokenEndsAtItsTimeAlthoughItWasKept() throws CredentialException {
        String token =
                issuer.token(claims().expirationTime(Date.from(clock.instant().plusSeconds(20))));
        assertThat(credentials.resolve(token).user()).isEqualTo("ann");

        clock.move(Duration.ofSeconds(19));
        assertThat(credentials.resolve(token).user()).isEqualTo("ann");
        clock.move(Duration.ofSeconds(1));

        assertThatThrownBy(() -> credentials.resolve(token))
                .isInstanceOf(CredentialException.class);
    }

    /** The keys are read once, and for an unknown id once more in 30 seconds. */
    @Test
    void aFloodOfUnknownKeysDoesNotReachTheIssuer() throws CredentialException {
        RSAKey own = TestIssuer.unpublished("x");
        List<String> unknown =
                IntStream.range(0, 100)
                        .mapToObj(i -> new RSAKey.Builder(own).keyID("invented-" + i).build())
                        .map(invented -> TestIssuer.token(claims(), invented))
                        .toList();
        String known = issuer.token(claims());
        long start = System.nanoTime();
        assertThat(credentials.resolve(known).user()).isEqualTo("ann");

        for (String token : unknown) {
            assertThatThrownBy(() -> credentials.resolve(token))
                    .isInstanceOfSatisfying(
                            CredentialException.class,
                            e -> assertThat(e.isUnavailable()).isFalse());
        }

        long periods = 1 + Duration.ofNanos(System.nanoTime() - start).dividedBy(PERIOD);
        assertThat(issuer.asked.get()).isPositive().isLessThanOrEqualTo((int) (2 * periods));
        assertThat(credentials.resolve(issuer.token(claims().subject("bob"))).user())
                .isEqualTo("bob");
    }

    @Test
    void aNewKeyIsReadWhenItIsFirstUsed() throws CredentialException {
        assertThat(credentials.resolve(issuer.token(claims())).user()).isEqualTo("ann");

        RSAKey second = issuer.publish("second");

        assertThat(credentials.resolve(TestIssuer.token(claims(), second)).user()).isEqualTo("ann");
    }

    @Test
    void aWithdrawnKeyEndsWhenTheKeysAreReadAgain() throws CredentialException {
        assertThat(credentials.resolve(issuer.token(claims())).user()).isEqualTo("ann");

        issuer.withdraw(issuer.key());
        RSAKey second = issuer.publish("second");
        assertThat(credentials.resolve(TestIssuer.token(claims(), second)).user()).isEqualTo("ann");

        String old = issuer.token(claims().subject("bob"));
        assertThatThrownBy(() -> credentials.resolve(old))
                .isInstanceOfSatisfying(
                        CredentialException.class, e -> assertThat(e.isUnavailable()).isFalse());
    }

    @Test
    void knownKeysStayValidWhileTheIssuerHangs() throws CredentialException {
        String known = issuer.token(claims());
        Wait.until("the keys are read", () -> isAccepted(known));

        issuer.hang();
        String unknown = TestIssuer.token(claims(), TestIssuer.unpublished("second"));
        assertThatThrownBy(() -> hasty.resolve(unknown))
                .isInstanceOfSatisfying(
                        CredentialException.class, e -> assertThat(e.isUnavailable()).isFalse());

        assertThat(hasty.resolve(issuer.token(claims().subject("bob"))).user()).isEqualTo("bob");
    }

    @Test
    void anIssuerThatHangsIsGivenUpAndAskedAgain() throws CredentialException {
        issuer.hang();
        String token = issuer.token(claims());
        assertThatThrownBy(() -> hasty.resolve(token))
                .isInstanceOfSatisfying(
                        CredentialException.class, e -> assertThat(e.isUnavailable()).isTrue());

        issuer.goOn();

        int before = issuer.asked.get();
        boolean accepted = isAccepted(token);
        Wait.until("the issuer is asked again", () -> issuer.asked.get() > before);
        Wait.until("the token is accepted", () -> accepted || isAccepted(token));
    }

    /** Whether hasty credentials accept a token; a pause of this JVM may exceed their time-out. */
    private boolean isAccepted(String token) throws CredentialException {
        try {
            return hasty.resolve(token).user().equals("ann");
        } catch (CredentialException e) {
            if (e.isUnavailable()) {
                return false;
            }
            throw e;
        }
    }

    @Test
    void knownKeysStayValidWhileTheIssuerIsAway() throws CredentialException {
        assertThat(credentials.resolve(issuer.token(claims())).user()).isEqualTo("ann");

        issuer.down = true;

        assertThat(credentials.resolve(issuer.token(claims().subject("bob"))).user())
                .isEqualTo("bob");
    }

    @Test
    void beforeItsKeysAreKnownNothingIsJudged() {
        issuer.down = true;
        String token = issuer.token(claims());

        assertThatThrownBy(() -> credentials.resolve(token))
                .isInstanceOfSatisfying(
                        CredentialException.class, e -> assertThat(e.isUnavailable()).isTrue());
    }

    @Test
    void theKeysAreDiscoveredFromTheIssuer() throws CredentialException {
        assertThat(credentials(null).resolve(issuer.token(claims())).user()).isEqualTo("ann");
    }

    @Test
    void aFileMayHoldTheKey() throws CredentialException, JOSEException {
        Credentials ofFile = credentialsOfFile();
        String access = TestIssuer.token(claims(), issuer.key(), new JOSEObjectType("at+jwt"));

        assertThat(ofFile.resolve(issuer.token(claims())).user()).isEqualTo("ann");
        assertThat(ofFile.resolve(access).user()).isEqualTo("ann");
        assertThat(issuer.asked).hasValue(0);
    }

    @Test
    void settingsThatLetOthersInAreRefused() throws JOSEException {
        List<String> audience = List.of(TestIssuer.AUDIENCE);
        List<String> rs256 = List.of("RS256");

        assertThatThrownBy(() -> new TokenSettings(issuer.uri(), null, null, List.of(), rs256))
                .hasMessageContaining("audiences");
        assertThatThrownBy(() -> new TokenSettings(null, issuer.uri(), null, audience, rs256))
                .hasMessageContaining("issuer-uri");
        var pem = new ByteArrayResource(issuer.pem());
        assertThatThrownBy(() -> new TokenSettings(null, null, pem, audience, rs256))
                .hasMessageContaining("issuer-uri");
        assertThatThrownBy(
                        () ->
                                new TokenSettings(
                                        issuer.uri(), null, pem, audience, List.of("ES256")))
                .hasMessageContaining("RSA");
        for (String algorithm : List.of("HS256", "none")) {
            assertThatThrownBy(
                            () ->
                                    new TokenSettings(
                                            issuer.uri(), null, null, audience, List.of(algorithm)))
                    .hasMessageContaining("asymmetric");
        }
    }

    private JWTClaimsSet.Builder claims() {
        return issuer.claims("ann", SCOPE, clock.instant());
    }

    private Credentials credentials(String jwks) {
        return credentials(jwks, null, PATIENCE);
    }

    private Credentials credentialsOfFile() throws JOSEException {
        return credentials(null, new ByteArrayResource(issuer.pem()), PATIENCE);
    }

    private Credentials credentials(String jwks, Resource file, Duration timeout) {
        var accepted =
                new TokenSettings(
                        issuer.uri(), jwks, file, List.of(TestIssuer.AUDIENCE), List.of("RS256"));
        var settings =
                new AccessSettings.Jwt(
                        "sub",
                        "ovation_namespaces",
                        Set.of(Scope.REACTIONS_READ, Scope.REACTIONS_WRITE, Scope.CROWDS_READ),
                        Set.of());
        return new Credentials(null, new JwtDecoders(accepted, settings, timeout, clock), clock);
    }
}
