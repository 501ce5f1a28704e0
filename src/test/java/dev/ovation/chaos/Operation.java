package dev.ovation.chaos;

import dev.ovation.chaos.Place.Space;

/**
 * A write of one user; two with the same arguments are not the same.
 *
 * <p>What it may do is known by itself, apart from the limit, which depends on others.
 */
final class Operation {

    /** How; the sets before and after are those of the user's reactions. */
    enum Kind {
        /** Refused when it is there, or when something excludes it. */
        ADD("POST", ""),
        /** Content with what is there. */
        ENSURE("POST", "?if_exists=ok"),
        /** Content with what is there, and takes back what excludes it. */
        FORCE("POST", "?force=true&if_exists=ok"),
        REMOVE("DELETE", "");

        final String method;
        final String query;

        Kind(String method, String query) {
            this.method = method;
            this.query = query;
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

    /** Null for one that cannot be sent again. */
    final String key;

    Operation(Kind kind, int reaction, String key) {
        this.kind = kind;
        this.reaction = reaction;
        this.key = key;
    }

    /** What a user has after it, who has {@code state} before. */
    int on(int state, Space space) {
        int bit = 1 << reaction;
        int rivals = space.rivals(reaction) & state;
        boolean there = (state & bit) != 0;
        return switch (kind) {
            case ADD -> there || rivals != 0 ? REFUSED : state | bit;
            case ENSURE -> there ? state : rivals != 0 ? REFUSED : state | bit;
            case FORCE -> there ? state : state & ~rivals | bit;
            case REMOVE -> state & ~bit;
        };
    }

    /** Whether such a refusal is right for a user who has {@code state}. */
    boolean explains(Outcome refusal, int state, Space space) {
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
        String text = kind.name().toLowerCase() + ' ' + Place.REACTIONS.get(reaction);
        return key == null ? text : text + " by key " + key;
    }
}
