package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Imports;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A change of one user's reactions on one entity, compared by identity, not by its arguments: a
 * write of the user, or what a moderator does.
 *
 * <p>Its possible effects follow from the operation and the user's state, except for the limit,
 * which depends on other users. {@link Terms} has the rules that depend on the time, the person, or
 * a moderator.
 */
final class Operation {

    /** Kind of the change; the sets before and after it are those of the user's reactions. */
    enum Kind {
        /** Refused if the reaction exists, or if another reaction excludes it. */
        ADD("POST", "/reactions"),
        /** Accepts an existing reaction. */
        ENSURE("POST", "/reactions?if_exists=ok"),
        /** Accepts an existing reaction, and removes reactions that exclude the new one. */
        FORCE("POST", "/reactions?force=true&if_exists=ok"),
        REMOVE("DELETE", "/reactions"),
        /** Replaces the user's reactions by a set, or is refused. */
        PUT("PUT", "/reactions"),
        /** Adds a set to the user's reactions without a check of the rules. */
        IMPORT("POST", "/imports?kind=reactions"),
        /** A moderator takes one reaction off an entity, from all users. */
        CLEAR,
        /** A ban removes all reactions of the user. */
        STRIP,
        /** A ban hides all reactions of the user. */
        HIDE,
        /** The hidden reactions of the user come back. */
        SHOW;

        final String method;
        final String target;

        /** Whether it is no write of the user, and happens any number of times while it is open. */
        final boolean isModeration;

        Kind(String method, String target) {
            this.method = method;
            this.target = target;
            this.isModeration = false;
        }

        Kind() {
            this.method = "";
            this.target = "";
            this.isModeration = true;
        }
    }

    /** Outcome of the operation, as its client sees it. */
    enum Outcome {
        OK,
        /** Refused, because the reaction exists. */
        EXISTS,
        /** Refused, because an existing reaction excludes it. */
        CONFLICT,
        /** Refused, because the entity has reached its limit of distinct reactions. */
        LIMIT,
        /** Refused, because the user has reached the limit of a user. */
        TOO_MANY,
        /** Refused, because the namespace does not accept the reaction. */
        FOREIGN,
        /** Refused, because a reaction is out of season or for another audience. */
        CLOSED,
        /** Refused, because the entity is locked. */
        LOCKED,
        /** Refused, because the user is banned. */
        BANNED,
        /** Refused by {@link Term#MANY}. */
        MANY,
        /** Refused by {@link Term#SOON}. */
        SOON,
        /** Refused by {@link Term#FULL}. */
        FULL,
        /** Refused by {@link Term#YOUNG}. */
        YOUNG,
        /** Refused by {@link Term#STRANGER}. */
        STRANGER,
        /** Refused without a change. */
        UNAVAILABLE,
        /** Applied, not applied, or still in flight. */
        UNKNOWN
    }

    /** Result of {@link #on} if the operation must be refused. */
    static final int REFUSED = -1;

    final Kind kind;
    final int reaction;

    /** Target set; only for a put and an import. */
    final int set;

    /** Number of the form in which the reactions are sent. */
    final int form;

    /** Idempotency key; null for an operation that cannot be sent again. */
    final String key;

    final Person person;

    /**
     * A time before the operation was sent. It is the time of the rows of an import: after the
     * removals before it, which would make them outdated.
     */
    final Instant at;

    Operation(Kind kind, int reaction, String key, Person person) {
        this(kind, reaction, 0, 0, key, person, Instant.now());
    }

    Operation(Kind kind, int reaction, int set, int form, String key, Person person, Instant at) {
        this.kind = kind;
        this.reaction = reaction;
        this.set = set;
        this.form = form;
        this.key = key;
        this.person = person;
        this.at = at;
    }

    static Operation put(int set, int form, String key, Person person) {
        return new Operation(Kind.PUT, 0, set, form, key, person, Instant.now());
    }

    static Operation importing(int set, String key) {
        return new Operation(Kind.IMPORT, 0, set, 0, key, Person.UNKNOWN, Instant.now());
    }

    /** An operation of a moderator; only {@link Kind#CLEAR} uses the reaction. */
    static Operation moderation(Kind kind, int reaction) {
        return new Operation(kind, reaction, null, Person.UNKNOWN);
    }

    /** Body of the request. */
    String body(String user, Place place) {
        if (kind == Kind.IMPORT) {
            return file(user, place);
        }
        var body = members(user, place);
        if (kind == Kind.PUT) {
            body.put("reaction_ids", place.space().sent(set, form));
        } else {
            body.put("reaction_id", place.space().reactions.get(reaction).sent(form));
        }
        return JsonMapper.shared().writeValueAsString(body);
    }

    /** Members of a write of any kind. */
    private Map<String, Object> members(String user, Place place) {
        var members = new HashMap<String, Object>();
        members.put("namespace_id", place.space().id());
        members.put("entity_id", place.entity());
        members.put("user_id", user);
        if (place.space() == Space.RULED && person.age() >= 0) {
            members.put("attributes", person.attributes());
        }
        return members;
    }

    private String file(String user, Place place) {
        var file = new StringBuilder(Imports.HEADER);
        for (String name : place.names(set)) {
            file.append(
                    "%s,%s,%s,%s,%s\n"
                            .formatted(place.space().id(), place.entity(), user, name, at));
        }
        return file.toString();
    }

    /** Reactions that the operation may add to the user's. */
    int given() {
        return switch (kind) {
            case PUT, IMPORT -> set;
            case ADD, ENSURE, FORCE -> 1 << reaction;
            case REMOVE, CLEAR, STRIP, HIDE, SHOW -> 0;
        };
    }

    /** Reactions that the operation may take back. */
    int takesBack(Space space) {
        return switch (kind) {
            case REMOVE, CLEAR -> 1 << reaction;
            case PUT -> ~set;
            case FORCE -> space.rivals(reaction);
            case STRIP, HIDE -> ~0;
            case ADD, ENSURE, IMPORT, SHOW -> 0;
        };
    }

    /** Whether locks, bans and constraints may refuse it. */
    boolean isJudged() {
        return given() != 0 && kind != Kind.IMPORT;
    }

    /** Increment of the entity's version when the operation is applied, without version gaps. */
    int changes() {
        return kind == Kind.IMPORT || kind.isModeration ? 0 : 1;
    }

    /** The operation as an item of a batch; not available for a put or an import. */
    Map<String, Object> ofABatch(String user, Place place) {
        var operation = members(user, place);
        operation.put("op", kind == Kind.REMOVE ? "remove" : "add");
        operation.put("reaction_id", place.space().reactions.get(reaction).sent(form));
        operation.put("force", kind == Kind.FORCE);
        operation.put("if_exists", kind == Kind.ADD ? "error" : "ok");
        return operation;
    }

    /** The user's reactions after the operation, given {@code state} before it. */
    int on(int state, Space space) {
        int after = tried(state, space);
        if (after == REFUSED || kind == Kind.IMPORT) {
            return after;
        }
        int more = Space.kinds(after & ~state);
        boolean isRefused = (more & space.foreign) != 0 || isTooMuch(state, after, space);
        return isRefused ? REFUSED : after;
    }

    private static boolean isTooMuch(int state, int after, Space space) {
        return Space.kinds(after & ~state) != 0
                && Integer.bitCount(Space.kinds(after)) > space.most;
    }

    /** The same, where each reaction is accepted and a user may have all. */
    private int tried(int state, Space space) {
        int bit = 1 << reaction;
        int rivals = space.rivals(reaction) & state;
        boolean there = (state & bit) != 0;
        return switch (kind) {
            case ADD -> there || rivals != 0 ? REFUSED : space.with(state, bit, form);
            case ENSURE -> there || rivals == 0 ? space.with(state, bit, form) : REFUSED;
            case FORCE -> there ? state : space.with(Space.without(state, rivals), bit, form);
            case REMOVE, CLEAR -> Space.without(state, bit);
            case PUT ->
                    isTorn(state, space)
                            ? REFUSED
                            : space.with(Space.without(state, ~set), set, form);
            case IMPORT -> space.with(state, set, form);
            case STRIP, HIDE -> 0;
            case SHOW -> state;
        };
    }

    /** Whether the set adds a reaction that another one of the set excludes. */
    private boolean isTorn(int state, Space space) {
        for (int i = 0; i < space.kinds; i++) {
            boolean added = (set & ~state & 1 << i) != 0;
            if (added && (space.rivals(i) & set) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code state} of the user explains such a refusal. */
    boolean explains(Outcome refusal, int state, Space space) {
        if (kind == Kind.IMPORT || kind.isModeration) {
            return false;
        }
        int after = tried(state, space);
        boolean isTried = after != REFUSED;
        int added = given() & ~state;
        return switch (refusal) {
            case EXISTS -> kind == Kind.ADD && (state & 1 << reaction) != 0;
            case CONFLICT -> kind == Kind.PUT ? isTorn(state, space) : isExcluded(state, space);
            case LIMIT -> space.isLimited() && isTried && added != 0;
            case TOO_MANY -> isTried && isTooMuch(state, after, space);
            case FOREIGN -> (added & space.foreign) != 0;
            default -> throw new IllegalArgumentException("no built-in constraint");
        };
    }

    private boolean isExcluded(int state, Space space) {
        return (kind == Kind.ADD || kind == Kind.ENSURE)
                && (state & 1 << reaction) == 0
                && (space.rivals(reaction) & state) != 0;
    }

    /** Describes the operation in a namespace. */
    String text(Space space) {
        String what =
                switch (kind) {
                    case PUT, IMPORT -> "" + space.sent(set, form);
                    case STRIP, HIDE, SHOW -> "all";
                    default -> space.reactions.get(reaction).sent(form);
                };
        String text = kind.name().toLowerCase() + ' ' + what;
        text = person.age() < 0 ? text : text + " of " + person;
        return key == null ? text : text + " by key " + key;
    }
}
