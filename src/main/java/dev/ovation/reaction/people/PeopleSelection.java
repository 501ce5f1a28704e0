package dev.ovation.reaction.people;

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
import dev.ovation.reaction.view.Views;
import dev.ovation.rules.ReactionKey;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Selects the people of one entity for an answer.
 *
 * @param stored users of the entity; null when the answer tells of none
 * @param friends all friends of the viewer; empty when the query does not ask for friends
 * @param crowd the friends on an entity whose stored users are not all users
 */
record PeopleSelection(
        PeopleQuery query,
        Views views,
        @Nullable StoredPeople stored,
        Set<String> friends,
        StoredFriends crowd) {

    PeopleOfState of(EntityView view) {
        PeopleJson json =
                query.perReaction()
                        ? new PeopleJson(view.people(), friendCount(), null, reactions(view))
                        : new PeopleJson(view.people(), friendCount(), shown(), null);
        return new PeopleOfState(stored == null ? Long.MAX_VALUE : stored.version(), json);
    }

    private List<StoredPerson> all() {
        return stored == null ? List.of() : stored.people();
    }

    private boolean isComplete() {
        return stored == null || stored.complete();
    }

    private boolean isFriend(StoredPerson person) {
        return friends.contains(person.user());
    }

    private List<StoredPerson> friendsHere() {
        return isComplete() ? all().stream().filter(this::isFriend).toList() : crowd.people();
    }

    private @Nullable Long friendCount() {
        if (query.friends() == null) {
            return null;
        }
        return isComplete() ? all().stream().filter(this::isFriend).count() : crowd.total();
    }

    private @Nullable Long friendCount(String reaction) {
        if (query.friends() == null) {
            return null;
        }
        return isComplete()
                ? all().stream().filter(each -> isFriend(each) && each.has(reaction)).count()
                : crowd.totals().getOrDefault(reaction, 0L);
    }

    private List<StoredPerson> others() {
        return query.friends() == FriendOrder.ONLY
                ? List.of()
                : all().stream().filter(each -> !isFriend(each)).toList();
    }

    private List<PersonJson> shown() {
        return Stream.concat(friendsHere().stream(), others().stream())
                .limit(query.limit())
                .map(each -> json(each, spelled(each)))
                .toList();
    }

    private List<ReactionPeopleJson> reactions(EntityView view) {
        List<StoredPerson> here = friendsHere();
        List<StoredPerson> others = others();
        return view.counts().stream()
                .map(
                        count -> {
                            String reaction = ReactionKey.of(count.reaction());
                            return new ReactionPeopleJson(
                                    count.reaction(),
                                    count.count(),
                                    friendCount(reaction),
                                    shown(reaction, here, others));
                        })
                .toList();
    }

    private List<PersonJson> shown(
            String reaction, List<StoredPerson> here, List<StoredPerson> others) {
        return Stream.concat(with(reaction, here), with(reaction, others))
                .limit(query.limit())
                .map(each -> json(each, null))
                .toList();
    }

    private static Stream<StoredPerson> with(String reaction, List<StoredPerson> people) {
        return people.stream()
                .filter(each -> each.has(reaction))
                .sorted(
                        Comparator.comparingLong((StoredPerson each) -> each.at(reaction))
                                .reversed());
    }

    private List<String> spelled(StoredPerson person) {
        return views.spelled(person.given().stream().map(GivenReaction::reaction).toList());
    }

    private PersonJson json(StoredPerson person, @Nullable List<String> reactions) {
        return new PersonJson(
                person.user(),
                person.displayName(),
                person.avatarUrl(),
                isFriend(person) ? true : null,
                reactions);
    }
}
