package dev.ovation.credential;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ovation.access.Principal;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Tells whom a credential stands for. What is found is kept for a minute, but never beyond the end
 * of the credential, and not when the file of keys has changed. What is wrong is not kept.
 */
public final class Credentials {

    private static final String EXPIRED = "the credential has expired";
    private static final Duration KEPT = Duration.ofMinutes(1);

    /** Characters of all credentials that are kept: some 10,000 tokens. */
    private static final long MOST_CHARS = 8_000_000;

    private final @Nullable Keys keys;
    private final @Nullable Tokens tokens;
    private final Clock clock;
    private final Cache<String, Kept> cache =
            Caffeine.newBuilder()
                    .maximumWeight(MOST_CHARS)
                    .weigher((String credential, Kept _) -> credential.length())
                    .expireAfterWrite(KEPT)
                    .build();

    /** The judgement of a token that is not kept, or of a credential that is not accepted. */
    public interface Attempt {

        /** An attempt that nobody counts. */
        Attempt UNCOUNTED =
                new Attempt() {
                    @Override
                    public void begins() {}

                    @Override
                    public void takenBack() {}
                };

        /**
         * Before a token is judged, and after a credential of another form was not accepted; an
         * exception is the caller's answer.
         */
        void begins();

        /** After a token was accepted or could not be judged. */
        void takenBack();
    }

    private record Kept(Principal principal, Instant until, Keys.@Nullable Ring ring) {}

    Credentials(@Nullable Keys keys, @Nullable Tokens tokens, Clock clock) {
        this.keys = keys;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Whether there is any credential that could be accepted. */
    public boolean areConfigured() {
        return keys != null || tokens != null;
    }

    /**
     * Whom the credential stands for.
     *
     * @param credential an API key or a token, as it was sent
     * @param attempt counts what costs time or was refused
     * @throws CredentialException when it is wrong, ended, or cannot be judged now
     */
    public Principal resolve(String credential, Attempt attempt) throws CredentialException {
        Instant now = clock.instant();
        Keys.Ring ring = keys == null ? null : keys.current();
        Kept kept = cache.getIfPresent(credential);
        if (kept != null && now.isBefore(kept.until) && kept.ring == ring) {
            return kept.principal;
        }
        Resolved resolved =
                credential.startsWith(ApiKey.PREFIX)
                        ? key(credential, ring, now, attempt)
                        : token(credential, now, attempt);
        Instant until = now.plus(KEPT);
        if (resolved.until().isBefore(until)) {
            until = resolved.until();
        }
        cache.put(credential, new Kept(resolved.principal(), until, ring));
        return resolved.principal();
    }

    /** As {@link #resolve(String, Attempt)}, uncounted. */
    public Principal resolve(String credential) throws CredentialException {
        return resolve(credential, Attempt.UNCOUNTED);
    }

    /** An API key only. */
    public Principal resolveKey(String key, Attempt attempt) throws CredentialException {
        if (!key.startsWith(ApiKey.PREFIX)) {
            attempt.begins();
            throw CredentialException.invalid("X-Api-Key holds no API key");
        }
        return resolve(key, attempt);
    }

    /**
     * Reads the file of keys now.
     *
     * @throws InvalidKeysException when it cannot be used; the keys stay as they are
     */
    public void refresh() {
        if (keys != null) {
            keys.refresh();
        }
    }

    /** A look-up costs less than to count it, so that a valid key is never refused for others. */
    private static Resolved key(String key, Keys.@Nullable Ring ring, Instant now, Attempt attempt)
            throws CredentialException {
        Resolved resolved = ring == null ? null : ring.find(key);
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

    private Resolved token(String token, Instant now, Attempt attempt) throws CredentialException {
        attempt.begins();
        if (tokens == null) {
            throw CredentialException.invalid("tokens are not accepted here");
        }
        Resolved resolved;
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
