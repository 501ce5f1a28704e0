package dev.ovation.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** An entity in a namespace whose rules the checker knows. */
record Place(Space space, String entity) {

    /** The reactions of the namespaces with closed sets. */
    static final List<String> LETTERS = List.of("a", "b", "c", "d", "e", "f", "g", "h");

    /**
     * A namespace and its reactions. Sets of them are written as bits, in this order. A state of a
     * user has these bits, and above them the number of the form of each.
     *
     * <p>Each pair of {@code pairs}, such as {@code ab}, is exclusive; {@code limit} is the
     * greatest that was ever in force, {@code most} the greatest number of reactions of one user.
     */
    enum Space {
        CAPPED(letters(6), 4, 8, "ab", "bc"),
        FLUX(letters(6), 5, 8, "ab"),
        FREE(letters(6), 6, 8),
        /** Has the constraints of {@link Term} and the reactions of {@link Season}. */
        RULED(letters(8), 8, 8, "ab"),
        /** Is open to every emoji and counts all skin tones as one. {@link Ban} is about it. */
        TONES(
                List.of(
                        Reaction.toned("👍", "👍🏻", "👍🏽", "👍🏿"),
                        Reaction.toned("👫", "👩🏽‍🤝‍👨🏻", "👫🏽", "👩🏻‍🤝‍👨🏿"),
                        Reaction.spelled("❤️", "❤"),
                        Reaction.of("🦕"),
                        Reaction.foreign("hello")),
                20,
                8),
        /** Is open to any text. {@link Moderator} locks its entities. */
        TEXTS(
                List.of(
                        Reaction.of("a"),
                        Reaction.spelled("\u00e9", "e\u0301"),
                        Reaction.of("well done"),
                        Reaction.of("👍"),
                        Reaction.of("👍🏽"),
                        Reaction.foreign("\u00e9".repeat(33))),
                20,
                3);

        private static final int BITS = 8;
        private static final int KINDS = (1 << BITS) - 1;
        private static final int BITS_OF_A_FORM = 2;

        final List<Reaction> reactions;
        final int kinds;
        final int limit;
        final int most;
        final List<String> pairs;

        /** Reactions that must be refused. */
        final int foreign;

        Space(List<Reaction> reactions, int limit, int most, String... pairs) {
            this.reactions = reactions;
            this.kinds = reactions.size();
            this.limit = limit;
            this.most = most;
            this.pairs = List.of(pairs);
            int refused = 0;
            for (int i = 0; i < kinds; i++) {
                refused |= reactions.get(i).isTaken() ? 0 : 1 << i;
            }
            this.foreign = refused;
        }

        private static List<Reaction> letters(int number) {
            return LETTERS.subList(0, number).stream().map(Reaction::of).toList();
        }

        /** Whether the number of reactions can reach the limit. */
        boolean isLimited() {
            return limit < kinds;
        }

        String id() {
            return name().toLowerCase();
        }

        /** The namespace of an id. */
        static Space of(String id) {
            return valueOf(id.toUpperCase());
        }

        /** Reactions that exclude this one. */
        int rivals(int reaction) {
            int rivals = 0;
            for (String pair : pairs) {
                int both = bits(pair.split(""));
                rivals |= (both & 1 << reaction) == 0 ? 0 : both & ~(1 << reaction);
            }
            return rivals;
        }

        /** The exclusive pairs for the configuration. */
        List<List<String>> exclusive() {
            return pairs.stream().map(pair -> List.of(pair.split(""))).toList();
        }

        /** The names of all reactions that the namespace accepts. */
        List<String> accepted() {
            return counted(KINDS & ~foreign);
        }

        /** The reactions of a state, without their forms. */
        static int kinds(int state) {
            return state & KINDS;
        }

        /** The state with more reactions; those that it lacks get this form. */
        int with(int state, int more, int form) {
            int after = state;
            for (int i = 0; i < kinds; i++) {
                if ((more & ~state & 1 << i) != 0) {
                    after |= 1 << i | reactions.get(i).formOf(form) << shift(i);
                }
            }
            return after;
        }

        /** The state with the reactions of another one, in their forms, that it lacks. */
        int withAll(int state, int other) {
            int after = state;
            for (int i = 0; i < kinds; i++) {
                after = with(after, other & 1 << i, form(other, i));
            }
            return after;
        }

        /** The state without some reactions. */
        static int without(int state, int gone) {
            int after = state & ~kinds(gone);
            for (int i = 0; i < BITS; i++) {
                if ((gone & 1 << i) != 0) {
                    after &= ~(((1 << BITS_OF_A_FORM) - 1) << shift(i));
                }
            }
            return after;
        }

        private static int form(int state, int reaction) {
            return state >> shift(reaction) & (1 << BITS_OF_A_FORM) - 1;
        }

        private static int shift(int reaction) {
            return BITS + BITS_OF_A_FORM * reaction;
        }

        /** The state of a user with these reactions, each in the form that the user sees. */
        int bits(String... shown) {
            return bits(List.of(shown));
        }

        int bits(Iterable<String> shown) {
            int state = 0;
            for (String each : shown) {
                int reaction = indexOf(each, one -> one.forms().indexOf(each));
                state = with(state, 1 << reaction, reactions.get(reaction).forms().indexOf(each));
            }
            return state;
        }

        /** The reactions of these names, without forms. */
        int countedBits(Iterable<String> names) {
            int bits = 0;
            for (String name : names) {
                bits |= 1 << indexOf(name, one -> one.name().equals(name) ? 0 : -1);
            }
            return bits;
        }

        /** The state of a row of Postgres; the form is null for the reaction itself. */
        int stored(String key, String form) {
            int reaction = indexOf(key, one -> one.key().equals(key) ? 0 : -1);
            if (form == null) {
                return 1 << reaction;
            }
            var forms = reactions.get(reaction).forms().stream().map(Reaction::key).toList();
            int number = forms.indexOf(Reaction.key(form));
            if (number < 1) {
                throw new IllegalArgumentException("unknown form " + form);
            }
            return with(0, 1 << reaction, number);
        }

        private int indexOf(String name, ToIntFunction<Reaction> found) {
            for (int i = 0; i < kinds; i++) {
                if (found.applyAsInt(reactions.get(i)) >= 0) {
                    return i;
                }
            }
            throw new IllegalArgumentException("unknown reaction " + name);
        }

        /** The reactions of a state as their user sees them. */
        List<String> names(int state) {
            var names = new ArrayList<String>();
            for (int i = 0; i < kinds; i++) {
                if ((state & 1 << i) != 0) {
                    names.add(reactions.get(i).forms().get(form(state, i)));
                }
            }
            return names;
        }

        /** The reactions of a state as answers count them. */
        List<String> counted(int state) {
            return names(kinds(state));
        }

        /** The reactions of a state as Postgres names them. */
        List<String> keys(int state) {
            return counted(state).stream().map(Reaction::key).toList();
        }

        /** The reactions in a request that chooses this form. */
        List<String> sent(int set, int form) {
            var sent = new ArrayList<String>();
            for (int i = 0; i < kinds; i++) {
                if ((set & 1 << i) != 0) {
                    sent.add(reactions.get(i).sent(form));
                }
            }
            return sent;
        }

        /** The key of a counted reaction; a name in another spelling is returned as it is. */
        String keyOf(String counted) {
            return reactions.stream().anyMatch(one -> one.name().equals(counted))
                    ? Reaction.key(counted)
                    : counted + " (another spelling)";
        }
    }

    /** The state of a user of this entity, by the reactions that the user sees. */
    int bits(Iterable<String> shown) {
        return space.bits(shown);
    }

    List<String> names(int state) {
        return space.names(state);
    }

    @Override
    public String toString() {
        return space.id() + '/' + entity;
    }
}
