package dev.ovation.credential;

import com.nimbusds.jose.JWSAlgorithm;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings of the accepted users' tokens, under the names that Spring Boot gives them.
 *
 * @param issuerUri the claim {@code iss}; without the two other settings also the source of the
 *     keys
 * @param jwkSetUri URL of the keys of the issuer
 * @param publicKeyLocation a file with the one RSA key of the issuer, X.509 in PEM
 * @param audiences accepted values of the claim {@code aud}, which must have one of them
 * @param jwsAlgorithms allowed signature algorithms
 */
@ConfigurationProperties("spring.security.oauth2.resourceserver.jwt")
record TokenSettings(
        @Nullable String issuerUri,
        @Nullable String jwkSetUri,
        @Nullable Resource publicKeyLocation,
        @DefaultValue List<String> audiences,
        @DefaultValue("RS256") List<String> jwsAlgorithms) {

    private static final String PREFIX = "spring.security.oauth2.resourceserver.jwt";

    TokenSettings {
        boolean anything = given(issuerUri) || given(jwkSetUri) || publicKeyLocation != null;
        if (anything && (!given(issuerUri) || audiences.isEmpty())) {
            throw new IllegalArgumentException(
                    PREFIX + ": issuer-uri and audiences are needed, else tokens for others pass");
        }
        for (String algorithm : jwsAlgorithms) {
            JWSAlgorithm parsed = JWSAlgorithm.parse(algorithm);
            if (!JWSAlgorithm.Family.SIGNATURE.contains(parsed)) {
                throw new IllegalArgumentException(
                        PREFIX + ".jws-algorithms: must be asymmetric, not " + algorithm);
            }
            if (publicKeyLocation != null && !JWSAlgorithm.Family.RSA.contains(parsed)) {
                throw new IllegalArgumentException(
                        PREFIX + ".public-key-location: is a key of RSA, not of " + algorithm);
            }
        }
    }

    /** Returns whether any token is accepted. */
    boolean areGiven() {
        return given(issuerUri);
    }

    /** Returns the issuer; requires that the settings are given. */
    String issuer() {
        if (issuerUri == null) {
            throw new IllegalStateException("no issuer");
        }
        return issuerUri;
    }

    Set<JWSAlgorithm> algorithms() {
        return jwsAlgorithms.stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    }

    private static boolean given(@Nullable String text) {
        return text != null && !text.isEmpty();
    }
}
