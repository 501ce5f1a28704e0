package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Imports;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A write of one user, compared by identity, not by its arguments.
 *
 * <p>Its possible effects follow from the operation and the user's state, except for the limit,
 * which depends on other users. {@link Terms} has the rules that depend on the time or the person.
 */
final class Operation {

    /** Kind of the write; the sets before and after it are those of the user's reactions. */
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
        IMPORT("POST", "/imports?kind=reactions");

        final String method;
        final String target;

        Kind(String method, String target) {
            this.method = method;
            this.target = target;
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
        /** Refused, because a reaction is out of season or for another audience. */
        CLOSED,
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

    /** Idempotency key; null for an operation that cannot be sent again. */
    final String key;

    final Person person;

    /**
     * A time before the operation was sent. It is the time of the rows of an import: after the
     * removals before it, which would make them outdated.
     */
    final Instant at;

    Operation(Kind kind, int reaction, String key, Person person) {
        this(kind, reaction, 0, key, person, Instant.now());
    }

    Operation(Kind kind, int reaction, int set, String key, Person person, Instant at) {
        this.kind = kind;
        this.reaction = reaction;
        this.set = set;
        this.key = key;
        this.person = person;
        this.at = at;
    }

    static Operation put(int set, String key, Person person) {
        return new Operation(Kind.PUT, 0, set, key, person, Instant.now());
    }

    static Operation importing(int set, String key) {
        return new Operation(Kind.IMPORT, 0, set, key, Person.UNKNOWN, Instant.now());
    }

    /** Body of the request. */
    String body(String user, Place place) {
        if (kind == Kind.IMPORT) {
            return file(user, place);
        }
        var body = members(user, place);
        if (kind == Kind.PUT) {
            body.put("reaction_ids", Place.names(set));
        } else {
            body.put("reaction_id", Place.REACTIONS.get(reaction));
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
        for (String name : Place.names(set)) {
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
            case REMOVE -> 0;
            default -> 1 << reaction;
        };
    }

    /** Reactions that the operation may take back. */
    int takesBack(Space space) {
        return switch (kind) {
            case REMOVE -> 1 << reaction;
            case PUT -> ~set;
            case FORCE -> space.rivals(reaction);
            default -> 0;
        };
    }

    /** Increment of the entity's version when the operation is applied, without version gaps. */
    int changes() {
        return kind == Kind.IMPORT ? 0 : 1;
    }

    /** The operation as an item of a batch; not available for a put or an import. */
    Map<String, Object> ofABatch(String user, Place place) {
        var operation = members(user, place);
        operation.put("op", kind == Kind.REMOVE ? "remove" : "add");
        operation.put("reaction_id", Place.REACTIONS.get(reaction));
        operation.put("force", kind == Kind.FORCE);
        operation.put("if_exists", kind == Kind.ADD ? "error" : "ok");
        return operation;
    }

    /** The user's reactions after the operation, given {@code state} before it. */
    int on(int state, Space space) {
        if (kind == Kind.PUT) {
            return isTorn(state, space) ? REFUSED : set;
        }
        if (kind == Kind.IMPORT) {
            return state | set;
        }
        int bit = 1 << reaction;
        int rivals = space.rivals(reaction) & state;
        boolean there = (state & bit) != 0;
        return switch (kind) {
            case ADD -> there || rivals != 0 ? REFUSED : state | bit;
            case ENSURE -> there ? state : rivals != 0 ? REFUSED : state | bit;
            case FORCE -> there ? state : state & ~rivals | bit;
            case REMOVE -> state & ~bit;
            case PUT, IMPORT -> throw new IllegalStateException();
        };
    }

    /** Whether the set adds a reaction that another one of the set excludes. */
    private boolean isTorn(int state, Space space) {
        for (int i = 0; i < Place.REACTIONS.size(); i++) {
            boolean added = (set & ~state & 1 << i) != 0;
            if (added && (space.rivals(i) & set) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code state} of the user explains such a refusal. */
    boolean explains(Outcome refusal, int state, Space space) {
        if (kind == Kind.PUT) {
            boolean torn = isTorn(state, space);
            return switch (refusal) {
                case CONFLICT -> torn;
                case LIMIT -> space.isLimited() && (set & ~state) != 0 && !torn;
                default -> false;
            };
        }
        if (kind == Kind.IMPORT) {
            return false;
        }
        boolean there = (state & 1 << reaction) != 0;
        boolean excluded = (space.rivals(reaction) & state) != 0;
        return switch (refusal) {
            case EXISTS -> kind == Kind.ADD && there;
            case CONFLICT -> (kind == Kind.ADD || kind == Kind.ENSURE) && !there && excluded;
            case LIMIT ->
                    space.isLimited()
                            && kind != Kind.REMOVE
                            && !there
                            && (kind == Kind.FORCE || !excluded);
            default -> throw new IllegalArgumentException("no built-in constraint");
        };
    }

    @Override
    public String toString() {
        String what =
                kind == Kind.PUT || kind == Kind.IMPORT
                        ? "" + Place.names(set)
                        : Place.REACTIONS.get(reaction);
        String text = kind.name().toLowerCase() + ' ' + what;
        text = person.age() < 0 ? text : text + " of " + person;
        return key == null ? text : text + " by key " + key;
    }
}
