package dev.ovation.access;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The caller of a request and its rights: its scopes, its namespaces, and the users for which it
 * acts. Immutable; one for each credential.
 */
public final class Principal implements java.security.Principal {

    private static final String ATTRIBUTE = Principal.class.getName();

    private final String id;
    private final PrincipalKind kind;
    private final Set<Scope> scopes;
    private final @Nullable Set<String> namespaces;
    private final @Nullable String user;
    private final String reason;
    private final Map<Policy, Rate> limits;
    private final Map<String, Object> claims;

    private enum PrincipalKind {
        OPEN,
        ANONYMOUS,
        BACKEND,
        USER
    }

    private Principal(
            String id,
            PrincipalKind kind,
            Set<Scope> scopes,
            @Nullable Set<String> namespaces,
            @Nullable String user,
            String reason,
            Map<Policy, Rate> limits) {
        this(id, kind, scopes, namespaces, user, reason, limits, Map.of());
    }

    private Principal(
            String id,
            PrincipalKind kind,
            Set<Scope> scopes,
            @Nullable Set<String> namespaces,
            @Nullable String user,
            String reason,
            Map<Policy, Rate> limits,
            Map<String, Object> claims) {
        this.id = id;
        this.kind = kind;
        this.scopes = scopes.isEmpty() ? Set.of() : EnumSet.copyOf(scopes);
        this.namespaces = namespaces == null ? null : Set.copyOf(namespaces);
        this.user = user;
        this.reason = reason;
        this.limits = Map.copyOf(limits);
        this.claims = Map.copyOf(claims);
    }

    /** Caller of a service that requires no credential: everything is allowed. */
    public static Principal open() {
        return new Principal(
                "open", PrincipalKind.OPEN, EnumSet.allOf(Scope.class), null, null, "", Map.of());
    }

    /**
     * The caller without a credential. It acts as no user.
     *
     * @param scopes scopes of every caller
     * @param reason a sentence that explains how to get access
     */
    public static Principal anonymous(Set<Scope> scopes, String reason) {
        return new Principal(
                "anonymous", PrincipalKind.ANONYMOUS, scopes, null, null, reason, Map.of());
    }

    /**
     * A trusted caller, which acts as any user.
     *
     * @param id identifies the key in logs and metrics
     * @param namespaces null for all
     * @param limits its own rates; those of {@code USER_} hold for each user that it names
     */
    public static Principal backend(
            String id,
            Set<Scope> scopes,
            @Nullable Set<String> namespaces,
            Map<Policy, Rate> limits) {
        return new Principal(id, PrincipalKind.BACKEND, scopes, namespaces, null, "", limits);
    }

    /**
     * The bearer of a user's token, which acts as this user only.
     *
     * @param namespaces null for all
     */
    public static Principal user(String user, Set<Scope> scopes, @Nullable Set<String> namespaces) {
        return new Principal("user", PrincipalKind.USER, scopes, namespaces, user, "", Map.of());
    }

    /**
     * The bearer of a user's token, with the token's claims.
     *
     * @param namespaces null for all
     * @param claims values as the decoder of the token gives them, by name
     */
    public static Principal user(
            String user,
            Set<Scope> scopes,
            @Nullable Set<String> namespaces,
            Map<String, Object> claims) {
        return new Principal(
                "user", PrincipalKind.USER, scopes, namespaces, user, "", Map.of(), claims);
    }

    /**
     * The principal of a request that passed the gate.
     *
     * @throws IllegalStateException when it did not
     */
    public static Principal of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Principal principal) {
            return principal;
        }
        throw new IllegalStateException("the request did not pass the gate");
    }

    /** Stores this as the principal of the request. */
    public void enter(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** Whether a request that may not have passed the gate comes without a credential. */
    public static boolean isStranger(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Principal principal
                && principal.isAnonymous();
    }

    /** Returns the name for logs and metrics; never the id of a user. */
    @Override
    public String getName() {
        return id;
    }

    /** Whether the scope is held; every caller holds {@link Scope#PUBLIC}. */
    public boolean may(Scope scope) {
        return scope == Scope.PUBLIC || scopes.contains(scope);
    }

    /** Whether calls about this namespace are allowed. */
    public boolean mayEnter(String namespace) {
        return namespaces == null || namespaces.contains(namespace);
    }

    /** Whether calls that concern all namespaces are allowed. */
    public boolean mayEnterAll() {
        return namespaces == null;
    }

    /** Whether calls as this user, or for the view of this user, are allowed. */
    public boolean mayActAs(String other) {
        return kind == PrincipalKind.OPEN || kind == PrincipalKind.BACKEND || other.equals(user);
    }

    /** The user of a user's token, null for others. */
    public @Nullable String user() {
        return user;
    }

    /** Returns the claims of a user's token by name; none for other callers. */
    public Map<String, Object> claims() {
        return claims;
    }

    /** Returns the caller's own rate; null for the rate of the settings. */
    public @Nullable Rate limit(Policy policy) {
        return limits.get(policy);
    }

    /** Whether the service asks for no credential. */
    public boolean isOpen() {
        return kind == PrincipalKind.OPEN;
    }

    /** Returns whether a required credential is missing. */
    public boolean isAnonymous() {
        return kind == PrincipalKind.ANONYMOUS;
    }

    /** Whether others may be given the same answers without a credential. */
    public boolean isEverybody() {
        return kind == PrincipalKind.OPEN || kind == PrincipalKind.ANONYMOUS;
    }

    /** Detail of the 401 for an anonymous caller. */
    public String reason() {
        return reason;
    }

    @Override
    public String toString() {
        return id;
    }
}
