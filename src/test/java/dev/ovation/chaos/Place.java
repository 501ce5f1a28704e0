package dev.ovation.chaos;

import java.util.ArrayList;
import java.util.List;

/** An entity in a namespace whose rules the checker knows. */
record Place(Space space, String entity) {

    /** All reactions; sets of them are written as bits, in this order. */
    static final List<String> REACTIONS = List.of("a", "b", "c", "d", "e", "f", "g", "h");

    /**
     * A namespace, whose set has the first {@code kinds} of all reactions. Each pair of {@code
     * pairs}, such as {@code ab}, is exclusive; {@code limit} is the greatest that was ever in
     * force.
     */
    enum Space {
        CAPPED(6, 4, "ab", "bc"),
        FLUX(6, 5, "ab"),
        FREE(6, 6),
        /** Has the constraints of {@link Term} and the reactions of {@link Season}. */
        RULED(8, 8, "ab");

        final int kinds;
        final int limit;
        final List<String> pairs;

        Space(int kinds, int limit, String... pairs) {
            this.kinds = kinds;
            this.limit = limit;
            this.pairs = List.of(pairs);
        }

        /** Whether the number of reactions can reach the limit. */
        boolean isLimited() {
            return limit < kinds;
        }

        String id() {
            return name().toLowerCase();
        }

        /** Reactions that exclude this one. */
        int rivals(int reaction) {
            int rivals = 0;
            for (String pair : pairs) {
                int both = bits(List.of(pair.split("")));
                rivals |= (both & 1 << reaction) == 0 ? 0 : both & ~(1 << reaction);
            }
            return rivals;
        }

        /** The exclusive pairs for the configuration. */
        List<List<String>> exclusive() {
            return pairs.stream().map(pair -> List.of(pair.split(""))).toList();
        }
    }

    static int bits(Iterable<String> reactions) {
        int bits = 0;
        for (String reaction : reactions) {
            int index = REACTIONS.indexOf(reaction);
            if (index < 0) {
                throw new IllegalArgumentException("unknown reaction " + reaction);
            }
            bits |= 1 << index;
        }
        return bits;
    }

    static List<String> names(int bits) {
        var names = new ArrayList<String>();
        for (int i = 0; i < REACTIONS.size(); i++) {
            if ((bits & 1 << i) != 0) {
                names.add(REACTIONS.get(i));
            }
        }
        return names;
    }

    @Override
    public String toString() {
        return space.id() + '/' + entity;
    }
}
