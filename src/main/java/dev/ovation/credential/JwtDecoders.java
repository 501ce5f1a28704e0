package dev.ovation.credential;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.entity.Ids;
import dev.ovation.entity.Reasons;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.Resource;
import org.springframework.security.converter.RsaKeyConverters;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.Key;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads users' tokens with Spring Security's decoder. A token must be signed by a key of the issuer
 * with an allowed algorithm, be for this audience, and not have expired. {@code exp}, {@code iss}
 * and {@code aud} are required. {@code nbf} is optional; its check allows one minute of clock
 * difference.
 */
final class JwtDecoders {

    private static final Logger LOG = LoggerFactory.getLogger(JwtDecoders.class);
    private static final Duration SKEW = Duration.ofMinutes(1);
    private static final int MAX_CHARS = 8192;
    private static final JOSEObjectType ACCESS_TOKEN = new JOSEObjectType("at+jwt");

    /**
     * The form of a token. Decoders ignore other characters: one token would have any number of
     * spellings.
     */
    private static final Pattern FORM =
            Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    private final NimbusJwtDecoder decoder;
    private final Reasons unavailable = new Reasons();
    private final AccessSettings.Jwt settings;

    /**
     * Creates decoders without reading any key.
     *
     * @param issuerTimeout time for a request of the issuer's keys
     */
    JwtDecoders(
            TokenSettings accepted,
            AccessSettings.Jwt settings,
            Duration issuerTimeout,
            Clock clock) {
        this.settings = settings;
        this.decoder = decoder(accepted, issuerTimeout);
        this.decoder.setJwtValidator(validator(accepted, clock));
    }

    /** Returns the principal of a token that has not expired. */
    ResolvedCredential resolve(String token) throws CredentialException {
        Jwt jwt = decode(token);
        String user = jwt.getClaimAsString(settings.userClaim());
        Instant until = jwt.getExpiresAt();
        if (user == null || until == null || Ids.problem(user) != null) {
            throw CredentialException.invalid("the token names no user");
        }
        Set<String> namespaces = namespaces(jwt);
        return new ResolvedCredential(
                Principal.user(user, scopes(jwt, namespaces != null), namespaces, jwt.getClaims()),
                until);
    }

    private Jwt decode(String token) throws CredentialException {
        if (token.length() > MAX_CHARS) {
            throw CredentialException.invalid("the token has more than 8192 characters");
        }
        if (!FORM.matcher(token).matches()) {
            throw CredentialException.invalid("the token is not valid");
        }
        try {
            Jwt jwt = decoder.decode(token);
            unavailable.clear();
            return jwt;
        } catch (BadJwtException e) {
            LOG.debug("Token refused: {}", e.getMessage());
            throw CredentialException.invalid("the token is not valid");
        } catch (JwtException e) {
            String reason = String.valueOf(e.getMessage());
            if (unavailable.add(reason)) {
                LOG.warn("Token keys unavailable, tokens are answered with 503: {}", reason);
            }
            throw CredentialException.unavailable("the keys of the tokens cannot be read now");
        }
    }

    private Set<Scope> scopes(Jwt jwt, boolean someNamespaces) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        Stream.of("scope", "scp")
                .flatMap(claim -> texts(jwt.getClaim(claim)).stream())
                .forEach(
                        label -> {
                            Scope scope = Scope.granted(label);
                            if (scope != null && settings.scopes().contains(scope)) {
                                scopes.add(scope);
                            }
                        });
        scopes.addAll(settings.implied());
        if (someNamespaces) {
            scopes.removeIf(Scope::isForAllNamespaces);
        }
        return scopes;
    }

    private @Nullable Set<String> namespaces(Jwt jwt) {
        return jwt.hasClaim(settings.namespacesClaim())
                ? new HashSet<>(texts(jwt.getClaim(settings.namespacesClaim())))
                : null;
    }

    /** Returns the texts of a list claim in both forms that tokens use; none for any other form. */
    private static List<String> texts(@Nullable Object claim) {
        if (claim instanceof String text) {
            return Arrays.stream(text.split(" ", -1)).filter(each -> !each.isEmpty()).toList();
        }
        return claim instanceof Collection<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static OAuth2TokenValidator<Jwt> validator(TokenSettings accepted, Clock clock) {
        var notBefore = new JwtTimestampValidator(SKEW);
        notBefore.setClock(clock);
        return new DelegatingOAuth2TokenValidator<>(
                notBefore,
                new JwtClaimValidator<Instant>(
                        "exp", exp -> exp != null && clock.instant().isBefore(exp)),
                new JwtIssuerValidator(accepted.issuer()),
                new JwtClaimValidator<Collection<String>>(
                        "aud",
                        aud ->
                                aud != null
                                        && aud.stream().anyMatch(accepted.audiences()::contains)));
    }

    private static NimbusJwtDecoder decoder(TokenSettings accepted, Duration issuerTimeout) {
        var processor = new DefaultJWTProcessor<SecurityContext>();
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, ACCESS_TOKEN, null));
        processor.setJWSKeySelector(keys(accepted, issuerTimeout));
        // Spring's validators check all claims.
        processor.setJWTClaimsSetVerifier((_, _) -> {});
        return new NimbusJwtDecoder(processor);
    }

    private static JWSKeySelector<SecurityContext> keys(
            TokenSettings accepted, Duration issuerTimeout) {
        Set<JWSAlgorithm> algorithms = accepted.algorithms();
        Resource file = accepted.publicKeyLocation();
        if (file == null) {
            return new JWSVerificationKeySelector<>(
                    algorithms,
                    new IssuerKeys(accepted.issuer(), accepted.jwkSetUri(), issuerTimeout));
        }
        List<Key> only = List.of(publicKey(file));
        return (header, _) -> algorithms.contains(header.getAlgorithm()) ? only : List.of();
    }

    private static RSAPublicKey publicKey(Resource file) {
        try (InputStream in = file.getInputStream()) {
            return Objects.requireNonNull(RsaKeyConverters.x509().convert(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
