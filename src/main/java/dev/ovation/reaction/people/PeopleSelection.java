package dev.ovation.reaction.people;

import dev.ovation.reaction.people.KeptProfiles.Profile;
import dev.ovation.reaction.people.StoredPeople.GivenReaction;
import dev.ovation.reaction.people.StoredPeople.StoredFriends;
import dev.ovation.reaction.people.StoredPeople.StoredPerson;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.PeopleJson.PersonJson;
import dev.ovation.reaction.view.PeopleJson.ReactionPeopleJson;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.PeopleQuery.FriendOrder;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.reaction.view.Views;
import dev.ovation.rules.ReactionKey;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Selects the people of one entity for an answer. */
final class PeopleSelection {

    private final PeopleQuery query;
    private final EntityView view;
    private final Views views;
    private final @Nullable StoredPeople stored;
    private final FriendSet friends;
    private final StoredFriends crowd;

    /** Friends of the viewer on the entity: all, or those that are known of a crowd. */
    private final List<StoredPerson> here;

    /** Those to show: of the entity, or of each reaction in the order of the counts. */
    private final List<List<StoredPerson>> shown = new ArrayList<>();

    /**
     * Selects.
     *
     * @param stored users of the entity; null when the answer shows none
     * @param friends friends of the viewer, at least those among the users; empty when the query
     *     does not ask for friends
     * @param crowd the friends on an entity whose stored users are not all users
     */
    PeopleSelection(
            PeopleQuery query,
            EntityView view,
            Views views,
            @Nullable StoredPeople stored,
            FriendSet friends,
            StoredFriends crowd) {
        this.query = query;
        this.view = view;
        this.views = views;
        this.stored = stored;
        this.friends = friends;
        this.crowd = crowd;
        this.here = friendsHere();
        if (query.perReaction()) {
            for (ReactionCount count : view.counts()) {
                String reaction = ReactionKey.of(count.reaction());
                shown.add(first(with(reaction, here.stream()), with(reaction, others())));
            }
        } else {
            shown.add(first(here.stream(), others()));
        }
    }

    /** Adds the users to show. */
    void addUsers(Set<String> users) {
        shown.forEach(some -> some.forEach(each -> users.add(each.user())));
    }

    /** Returns the people with these names. */
    PeopleOfState named(Map<String, Profile> profiles) {
        PeopleJson json =
                query.perReaction()
                        ? new PeopleJson(view.people(), friendCount(), null, reactions(profiles))
                        : new PeopleJson(
                                view.people(),
                                friendCount(),
                                shown.getFirst().stream()
                                        .map(each -> json(each, profiles, spelled(each)))
                                        .toList(),
                                null);
        return new PeopleOfState(stored == null ? Long.MAX_VALUE : stored.version(), json);
    }

    private List<StoredPerson> all() {
        return stored == null ? List.of() : stored.people();
    }

    private boolean isComplete() {
        return stored == null || stored.complete();
    }

    private boolean isFriend(StoredPerson person) {
        return friends.has(person.user());
    }

    private List<StoredPerson> friendsHere() {
        if (!isComplete()) {
            return crowd.people();
        }
        return friends.isEmpty() ? List.of() : all().stream().filter(this::isFriend).toList();
    }

    private @Nullable Long friendCount() {
        if (query.friends() == null) {
            return null;
        }
        return isComplete() ? here.size() : crowd.total();
    }

    private @Nullable Long friendCount(String reaction) {
        if (query.friends() == null) {
            return null;
        }
        return isComplete()
                ? here.stream().filter(each -> each.has(reaction)).count()
                : crowd.totals().getOrDefault(reaction, 0L);
    }

    private Stream<StoredPerson> others() {
        return query.friends() == FriendOrder.ONLY
                ? Stream.empty()
                : all().stream().filter(each -> !isFriend(each));
    }

    private List<StoredPerson> first(Stream<StoredPerson> some, Stream<StoredPerson> others) {
        return Stream.concat(some, others).limit(query.limit()).toList();
    }

    private List<ReactionPeopleJson> reactions(Map<String, Profile> profiles) {
        var reactions = new ArrayList<ReactionPeopleJson>(shown.size());
        for (ReactionCount count : view.counts()) {
            reactions.add(
                    new ReactionPeopleJson(
                            count.reaction(),
                            count.count(),
                            friendCount(ReactionKey.of(count.reaction())),
                            shown.get(reactions.size()).stream()
                                    .map(each -> json(each, profiles, null))
                                    .toList()));
        }
        return reactions;
    }

    private static Stream<StoredPerson> with(String reaction, Stream<StoredPerson> people) {
        return people.filter(each -> each.has(reaction))
                .sorted(
                        Comparator.comparingLong((StoredPerson each) -> each.at(reaction))
                                .reversed());
    }

    private List<String> spelled(StoredPerson person) {
        return views.spelled(person.given().stream().map(GivenReaction::reaction).toList());
    }

    private PersonJson json(
            StoredPerson person, Map<String, Profile> profiles, @Nullable List<String> reactions) {
        Profile profile = profiles.getOrDefault(person.user(), Profile.NONE);
        return new PersonJson(
                person.user(),
                profile.displayName(),
                profile.avatarUrl(),
                isFriend(person) ? true : null,
                reactions);
    }
}
