package dev.ovation.access;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Right that a handler requires of its caller and that a credential grants. */
public enum Scope {
    /** Scope of public handlers; no credential grants it. */
    PUBLIC,
    /** Counts, a user's own view, rankings, the rules of a namespace. */
    REACTIONS_READ,
    /** Adding reactions and taking them back. */
    REACTIONS_WRITE,
    /** Lists of reactors. */
    CROWDS_READ,
    /** Names, friends, and the reactions of a user. */
    USERS_READ,
    /** Changes of names and friends. */
    USERS_WRITE,
    /** The log of changes: reactions of all users. */
    EVENTS_READ,
    /** Erasure of any user and any entity. */
    ERASE,
    /** Locks of entities, bans of users, and removals of one reaction. */
    MODERATE,
    /** Imports, exports and jobs. */
    TRANSFER,
    /** Webhooks, which send changes to other systems. */
    WEBHOOKS,
    /** Changes of the rules. */
    CONFIGURE,
    /** Audits, the rules in force, details of health. */
    OPERATE,
    /** Metrics. */
    METRICS;

    /** Returns the label in files and tokens, such as {@code reactions:read}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ':');
    }

    /** The scope of this label, null when a credential can grant none of that name. */
    public static @Nullable Scope granted(String label) {
        for (Scope scope : grantable()) {
            if (scope.label().equals(label)) {
                return scope;
            }
        }
        return null;
    }

    /** The labels that a credential can grant, separated by commas. */
    public static String labels() {
        return grantable().stream().map(Scope::label).collect(Collectors.joining(", "));
    }

    /** Returns whether its calls change nothing, although some are posted. */
    public boolean isForReads() {
        return switch (this) {
            case REACTIONS_READ, CROWDS_READ, USERS_READ -> true;
            default -> false;
        };
    }

    /** Whether its calls concern all namespaces, so that only credentials for all may hold it. */
    public boolean isForAllNamespaces() {
        return switch (this) {
            case TRANSFER, WEBHOOKS, CONFIGURE, OPERATE, METRICS -> true;
            default -> false;
        };
    }

    /** Whether its calls concern the data of all users, so that a user's token does not hold it. */
    public boolean isForOperators() {
        return this == EVENTS_READ || this == ERASE || this == MODERATE || isForAllNamespaces();
    }

    /**
     * Returns whether the audit trail has each call that needs it: true for operators' scopes
     * except those that only read.
     */
    public boolean isAudited() {
        return isForOperators() && this != EVENTS_READ && this != METRICS;
    }

    private static List<Scope> grantable() {
        return Arrays.stream(values()).filter(scope -> scope != PUBLIC).toList();
    }
}
