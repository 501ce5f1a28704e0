package dev.ovation.reaction.people;

import java.util.List;
import java.util.Map;

/**
 * Users who have a reaction on an entity, as they are committed.
 *
 * @param state state of the entity as text; the greater of two texts is the newer state
 * @param version version of the entity
 * @param complete whether these are all users; otherwise they include the newest {@link
 *     PeopleTable#FEW} of the entity and of each reaction
 * @param people the users, in the order of their newest reactions, newest first
 */
record StoredPeople(String state, long version, boolean complete, List<StoredPerson> people) {

    static final StoredPeople NONE = new StoredPeople("", 0, true, List.of());

    /**
     * A user on an entity.
     *
     * @param given all reactions of the user to the entity, newest first
     */
    record StoredPerson(String user, List<GivenReaction> given) {

        /** Returns the time of a reaction, in microseconds since 1970; -1 for none. */
        long at(String reaction) {
            for (GivenReaction one : given) {
                if (one.reaction.equals(reaction)) {
                    return one.at;
                }
            }
            return -1;
        }

        boolean has(String reaction) {
            return at(reaction) >= 0;
        }

        long newestAt() {
            return given.getFirst().at;
        }
    }

    /**
     * A reaction of a user.
     *
     * @param reaction its key
     * @param at microseconds since 1970
     */
    record GivenReaction(String reaction, long at) {}

    /**
     * Those of some users who have a reaction on an entity, as they are committed.
     *
     * @param state as above; that of the users beside it, or a newer one
     * @param total their number
     * @param totals the number of those with a reaction, by its key
     * @param people some of them, newest first; at least the newest {@link PeopleTable#FEW} of the
     *     entity and of each reaction
     */
    record StoredFriends(
            String state, long total, Map<String, Long> totals, List<StoredPerson> people) {
        static final StoredFriends NONE = new StoredFriends("", 0, Map.of(), List.of());
    }
}
