package dev.ovation.credential;

import dev.ovation.access.Scope;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Settings of access.
 *
 * @param mode Whether credentials are required.
 * @param keys Path of the file of API keys; empty: none.
 * @param anonymous Scopes of callers without a credential, where credentials are required.
 * @param endpoints Scope that each exposed endpoint of the actuator demands, by its id.
 * @param jwt settings of users' tokens
 */
@ConfigurationProperties("ovation.access")
public record AccessSettings(
        @DefaultValue("auto") Mode mode,
        @DefaultValue("") String keys,
        @DefaultValue Set<Scope> anonymous,
        @DefaultValue Map<String, Scope> endpoints,
        @DefaultValue Jwt jwt) {

    private static final Set<Scope> ANONYMOUS =
            Set.of(Scope.REACTIONS_READ, Scope.CROWDS_READ, Scope.METRICS);

    /**
     * Constants, bound for tests.
     *
     * @param timeout Time for a request of the keys of an issuer.
     */
    @ConfigurationProperties("ovation.internal.issuer")
    record IssuerConstants(@DefaultValue("4s") Duration timeout) {}

    /** The requirement of credentials. */
    public enum Mode {
        /**
         * Required if credentials are configured; otherwise the service is open on the loopback
         * address only.
         */
        AUTO,
        /** Credentials are always required. */
        REQUIRED,
        /** Credentials are never required. */
        OPEN
    }

    /**
     * Settings of users' tokens.
     *
     * @param userClaim Claim that names the user.
     * @param namespacesClaim Claim that lists the namespaces; a token without it is for all.
     * @param scopes Scopes that a token can grant; its other scopes are ignored.
     * @param implied Scopes of every valid token, in addition to those it grants.
     */
    public record Jwt(
            @DefaultValue("sub") String userClaim,
            @DefaultValue("ovation_namespaces") String namespacesClaim,
            @DefaultValue({
                        "reactions:read",
                        "reactions:write",
                        "crowds:read",
                        "users:read",
                        "users:write"
                    })
                    Set<Scope> scopes,
            @DefaultValue Set<Scope> implied) {

        public Jwt {
            if (scopes.contains(Scope.PUBLIC) || implied.stream().anyMatch(Jwt::isNoUsers)) {
                throw new IllegalArgumentException(
                        "ovation.access.jwt: scopes of operators are granted, not implied");
            }
        }

        private static boolean isNoUsers(Scope scope) {
            return scope == Scope.PUBLIC || scope.isForOperators();
        }
    }

    public AccessSettings {
        if (!ANONYMOUS.containsAll(anonymous)) {
            throw new IllegalArgumentException(
                    "ovation.access.anonymous: must be of reactions:read, crowds:read, metrics");
        }
    }
}
