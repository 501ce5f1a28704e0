package dev.ovation.bench;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.ovation.credential.ApiKey;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;

/**
 * Creates the credentials of a benchmark in the given folder: {@code keys.yaml} and {@code
 * public.pem} for the service, {@code keys} and {@code tokens} with one credential a line for the
 * load. The keys are those of the backends {@code bench}, which is not limited, and {@code other},
 * which may read 200 units a second. The tokens are those of {@code user-1} to {@code user-100}.
 */
final class Credentials {

    /** The issuer and the audience of the tokens, which the settings of the service must name. */
    static final String ISSUER = "https://issuer.invalid";

    static final String AUDIENCE = "ovation";

    private static final int USERS = 100;
    private static final Duration LIFETIME = Duration.ofDays(1);
    private static final String SCOPES = "reactions:read reactions:write crowds:read";

    private Credentials() {}

    public static void main(String... arguments)
            throws IOException, NoSuchAlgorithmException, JOSEException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        String bench = ApiKey.create("bench");
        String other = ApiKey.create("other");
        Files.writeString(
                folder.resolve("keys.yaml"),
                """
                - id: bench
                  sha256: ["%s"]
                  scopes: [reactions:read, reactions:write, operate, metrics]
                - id: other
                  sha256: ["%s"]
                  scopes: [reactions:read]
                  limits: {reads: 200/1s}
                """
                        .formatted(ApiKey.hash(bench), ApiKey.hash(other)));
        Files.write(folder.resolve("keys"), List.of(bench, other));
        KeyPair pair = pair();
        Files.writeString(
                folder.resolve("public.pem"),
                "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
                        .formatted(
                                Base64.getMimeEncoder()
                                        .encodeToString(pair.getPublic().getEncoded())));
        var tokens = new ArrayList<String>();
        for (int user = 1; user <= USERS; user++) {
            tokens.add(token("user-" + user, pair));
        }
        Files.write(folder.resolve("tokens"), tokens);
    }

    private static KeyPair pair() throws NoSuchAlgorithmException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static String token(String user, KeyPair pair) throws JOSEException {
        var claims =
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .audience(AUDIENCE)
                        .subject(user)
                        .claim("scope", SCOPES)
                        .expirationTime(Date.from(Instant.now().plus(LIFETIME)))
                        .build();
        var token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
        token.sign(new RSASSASigner(pair.getPrivate()));
        return token.serialize();
    }
}
