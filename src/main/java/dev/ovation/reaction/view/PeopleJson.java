package dev.ovation.reaction.view;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The people of an entity in an answer.
 *
 * @param total number of users with a reaction
 * @param friends number of friends of the viewer among them; null without a request for them
 * @param shown some of them; null when they are shown for each reaction
 * @param reactions some of them for each reaction, in the order of the counts; null when they are
 *     shown for the entity
 */
public record PeopleJson(
        long total,
        @Nullable Long friends,
        @Nullable List<PersonJson> shown,
        @Nullable List<ReactionPeopleJson> reactions) {

    /**
     * A user.
     *
     * @param friend true for a friend of the viewer, otherwise null
     * @param reactions the user's reactions to the entity, newest first; null where one is meant
     */
    public record PersonJson(
            String userId,
            @Nullable String displayName,
            @Nullable String avatarUrl,
            @Nullable Boolean friend,
            @Nullable List<String> reactions) {}

    /**
     * The people who have one reaction.
     *
     * @param total number of users with the reaction
     * @param friends number of friends of the viewer among them; null without a request for them
     */
    public record ReactionPeopleJson(
            String reactionId, long total, @Nullable Long friends, List<PersonJson> shown) {}

    /**
     * The people of an entity, as of a state.
     *
     * @param version number of the state; the newest one possible when only the total is shown
     */
    public record PeopleOfState(long version, PeopleJson json) {}
}
