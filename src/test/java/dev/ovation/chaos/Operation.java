package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;

import java.util.HashMap;
import java.util.Map;

/**
 * A write of one user; two with the same arguments are not the same.
 *
 * <p>What it may do is known by itself, apart from the limit, which depends on others.
 */
final class Operation {

    /** How; the sets before and after are those of the user's reactions. */
    enum Kind {
        /** Refused when it is there, or when something excludes it. */
        ADD("POST", "/reactions"),
        /** Content with what is there. */
        ENSURE("POST", "/reactions?if_exists=ok"),
        /** Content with what is there, and takes back what excludes it. */
        FORCE("POST", "/reactions?force=true&if_exists=ok"),
        REMOVE("DELETE", "/reactions"),
        /** The user has a whole set and nothing else, or it is refused. */
        PUT("PUT", "/reactions"),
        /** The user has a set besides what is there, whatever the rules say. */
        IMPORT("POST", "/imports?kind=reactions");

        final String method;
        final String target;

        Kind(String method, String target) {
            this.method = method;
            this.target = target;
        }
    }

    /** How it ended, as far as its client knows. */
    enum Outcome {
        OK,
        /** Refused, because the reaction is there. */
        EXISTS,
        /** Refused, because a reaction is there that excludes it. */
        CONFLICT,
        /** Refused, because the entity shows enough kinds. */
        LIMIT,
        /** Refused, and nothing was changed. */
        UNAVAILABLE,
        /** It was applied, or will be, or not. */
        UNKNOWN
    }

    /** What {@link #on} returns when the operation must be refused. */
    static final int REFUSED = -1;

    final Kind kind;
    final int reaction;

    /** What the user is to have; of a put and of an import alone. */
    final int set;

    /** Null for one that cannot be sent again. */
    final String key;

    Operation(Kind kind, int reaction, String key) {
        this(kind, reaction, 0, key);
    }

    private Operation(Kind kind, int reaction, int set, String key) {
        this.kind = kind;
        this.reaction = reaction;
        this.set = set;
        this.key = key;
    }

    static Operation put(int set, String key) {
        return new Operation(Kind.PUT, 0, set, key);
    }

    static Operation importing(int set, String key) {
        return new Operation(Kind.IMPORT, 0, set, key);
    }

    /** The body that asks for it. */
    String body(String user, Place place) {
        String namespace = place.space().id();
        return switch (kind) {
            case PUT -> Instance.setBody(namespace, place.entity(), user, Place.names(set));
            case IMPORT -> file(user, place);
            default ->
                    Instance.body(namespace, place.entity(), user, Place.REACTIONS.get(reaction));
        };
    }

    private String file(String user, Place place) {
        var file = new StringBuilder(Imports.HEADER);
        for (String name : Place.names(set)) {
            file.append(
                    "%s,%s,%s,%s,1000\n".formatted(place.space().id(), place.entity(), user, name));
        }
        return file.toString();
    }

    /** What it may give to the user. */
    int given() {
        return switch (kind) {
            case PUT, IMPORT -> set;
            case REMOVE -> 0;
            default -> 1 << reaction;
        };
    }

    /** By how much the version of an entity grows when it is applied, apart from leaps. */
    int changes() {
        return kind == Kind.IMPORT ? 0 : 1;
    }

    /** The same as one of a batch; neither of a put nor of an import. */
    Map<String, Object> ofABatch(String user, Place place) {
        var operation =
                new HashMap<String, Object>(
                        Instance.operation(
                                kind == Kind.REMOVE ? "remove" : "add",
                                place.space().id(),
                                place.entity(),
                                user,
                                Place.REACTIONS.get(reaction)));
        operation.put("force", kind == Kind.FORCE);
        operation.put("if_exists", kind == Kind.ADD ? "error" : "ok");
        return operation;
    }

    /** What a user has after it, who has {@code state} before. */
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

    /** Whether a set adds what excludes something of it to what the user has. */
    private boolean isTorn(int state, Space space) {
        for (int i = 0; i < Place.REACTIONS.size(); i++) {
            boolean added = (set & ~state & 1 << i) != 0;
            if (added && (space.rivals(i) & set) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether such a refusal is right for a user who has {@code state}. */
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
            default -> throw new IllegalArgumentException("no refusal by the rules");
        };
    }

    @Override
    public String toString() {
        String what =
                kind == Kind.PUT || kind == Kind.IMPORT
                        ? "" + Place.names(set)
                        : Place.REACTIONS.get(reaction);
        String text = kind.name().toLowerCase() + ' ' + what;
        return key == null ? text : text + " by key " + key;
    }
}
