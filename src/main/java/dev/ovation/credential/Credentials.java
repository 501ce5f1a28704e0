package dev.ovation.credential;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ovation.access.Principal;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Resolves credentials to principals. Results are cached for one minute, at most until the
 * credential expires or the key file changes. Failures are not cached.
 */
public final class Credentials {

    private static final String EXPIRED = "the credential has expired";
    private static final Duration KEPT = Duration.ofMinutes(1);

    /** Characters of all cached credentials: some 10,000 tokens. */
    private static final long MOST_CHARS = 8_000_000;

    private final @Nullable ApiKeys keys;
    private final @Nullable JwtDecoders tokens;
    private final Clock clock;
    private final Cache<String, CachedPrincipal> cache =
            Caffeine.newBuilder()
                    .maximumWeight(MOST_CHARS)
                    .weigher((String credential, CachedPrincipal _) -> credential.length())
                    .expireAfterWrite(KEPT)
                    .executor(Runnable::run)
                    .build();

    /** The check of a token that is not cached, or of a credential that is not accepted. */
    public interface CredentialCheck {

        /** A check without a count. */
        CredentialCheck UNCOUNTED =
                new CredentialCheck() {
                    @Override
                    public void begins() {}

                    @Override
                    public void takenBack() {}
                };

        /**
         * Runs before a token is checked, and after a credential of another form was refused; the
         * caller gets any exception as the answer.
         */
        void begins();

        /** Runs after a token was accepted or could not be checked. */
        void takenBack();
    }

    private record CachedPrincipal(
            Principal principal, Instant until, ApiKeys.@Nullable Snapshot ring) {}

    Credentials(@Nullable ApiKeys keys, @Nullable JwtDecoders tokens, Clock clock) {
        this.keys = keys;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Returns whether any credential could be accepted. */
    public boolean areConfigured() {
        return keys != null || tokens != null;
    }

    /**
     * Returns the principal of a credential.
     *
     * @param credential an API key or a token, as the client sent it
     * @param attempt counts expensive and refused checks
     * @throws CredentialException when the credential is wrong, expired, or cannot be checked now
     */
    public Principal resolve(String credential, CredentialCheck attempt)
            throws CredentialException {
        Instant now = clock.instant();
        ApiKeys.Snapshot ring = keys == null ? null : keys.current(now);
        CachedPrincipal kept = cache.getIfPresent(credential);
        if (kept != null && now.isBefore(kept.until) && kept.ring == ring) {
            return kept.principal;
        }
        ResolvedCredential resolved =
                credential.startsWith(ApiKey.PREFIX)
                        ? key(credential, ring, now, attempt)
                        : token(credential, now, attempt);
        Instant until = now.plus(KEPT);
        if (resolved.until().isBefore(until)) {
            until = resolved.until();
        }
        cache.put(credential, new CachedPrincipal(resolved.principal(), until, ring));
        return resolved.principal();
    }

    /** Does the same as {@link #resolve(String, CredentialCheck)}, without a count. */
    public Principal resolve(String credential) throws CredentialException {
        return resolve(credential, CredentialCheck.UNCOUNTED);
    }

    /** Returns the principal of an API key; accepts no token. */
    public Principal resolveKey(String key, CredentialCheck attempt) throws CredentialException {
        if (!key.startsWith(ApiKey.PREFIX)) {
            attempt.begins();
            throw CredentialException.invalid("X-Api-Key holds no API key");
        }
        return resolve(key, attempt);
    }

    /**
     * Reads the key file now.
     *
     * @throws InvalidKeysException when the file is invalid; the keys stay unchanged
     */
    public void refresh() {
        if (keys != null) {
            keys.refresh();
        }
    }

    /**
     * A valid key is not counted: its look-up is cheaper than counting, and no other caller can
     * exhaust its limit.
     */
    private static ResolvedCredential key(
            String key, ApiKeys.@Nullable Snapshot ring, Instant now, CredentialCheck attempt)
            throws CredentialException {
        ResolvedCredential resolved = ring == null ? null : ring.find(key);
        if (resolved == null) {
            attempt.begins();
            throw CredentialException.invalid("the API key is not known");
        }
        if (resolved.hasEnded(now)) {
            attempt.begins();
            throw CredentialException.invalid(EXPIRED);
        }
        return resolved;
    }

    private ResolvedCredential token(String token, Instant now, CredentialCheck attempt)
            throws CredentialException {
        attempt.begins();
        if (tokens == null) {
            throw CredentialException.invalid("tokens are not accepted here");
        }
        ResolvedCredential resolved;
        try {
            resolved = tokens.resolve(token);
        } catch (CredentialException e) {
            if (e.isUnavailable()) {
                attempt.takenBack();
            }
            throw e;
        }
        if (resolved.hasEnded(now)) {
            throw CredentialException.invalid(EXPIRED);
        }
        attempt.takenBack();
        return resolved;
    }
}
