package dev.ovation.grpc;

import com.google.protobuf.Timestamp;

import dev.ovation.crowd.CrowdCalls;
import dev.ovation.crowd.ListedReactor;
import dev.ovation.grpc.v1.EntityReaction;
import dev.ovation.grpc.v1.EntityReactions;
import dev.ovation.grpc.v1.EntityReactors;
import dev.ovation.grpc.v1.GivenReaction;
import dev.ovation.grpc.v1.People;
import dev.ovation.grpc.v1.Person;
import dev.ovation.grpc.v1.ReactionPeople;
import dev.ovation.grpc.v1.Reactor;
import dev.ovation.grpc.v1.ReactorList;
import dev.ovation.grpc.v1.UserReactionList;
import dev.ovation.grpc.v1.UserReactions;
import dev.ovation.grpc.v1.WatchEnd;
import dev.ovation.grpc.v1.WatchEvent;
import dev.ovation.grpc.v1.WatchedState;
import dev.ovation.grpc.v1.WriteResult;
import dev.ovation.live.LiveStreams;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.reaction.view.EntityJson;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.PeopleJson;
import dev.ovation.reaction.view.PeopleJson.PeopleOfState;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.reaction.view.RecentReactor;
import dev.ovation.reaction.view.RecentReactor.RecentReactorList;
import dev.ovation.reaction.view.ScreenJson;
import dev.ovation.reaction.write.WriteOutcome.Completed;

import org.jspecify.annotations.Nullable;

/** Answers as messages. Times are in milliseconds, as those of the REST API. */
final class Messages {

    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_A_MILLISECOND = 1_000_000;
    private static final int MICROS_OF_A_MILLISECOND = 1000;

    private Messages() {}

    /**
     * Returns the result of a write.
     *
     * @param withState whether it has the entity
     * @param withUnchanged whether it has the reactions that stay
     */
    static WriteResult written(
            Completed done, String namespace, boolean withState, boolean withUnchanged) {
        var result =
                WriteResult.newBuilder()
                        .setApplied(done.applied())
                        .addAllAdded(done.added())
                        .addAllRemoved(done.removed())
                        .setReplayed(done.replayed());
        if (withUnchanged) {
            result.addAllUnchanged(done.unchanged());
        }
        if (withState) {
            result.setEntity(entity(namespace, done.entity(), true, null, null));
        }
        return result.build();
    }

    static EntityReactions entity(ReactionCalls.EntityRead read) {
        return entity(read.namespace(), read.view(), read.details(), null, read.people());
    }

    /** Returns the entity of an item of a screen. */
    static EntityReactions entity(int item, ReactionCalls.ScreenRead screen) {
        EntityQuery query = screen.query();
        EntityQuery.ScreenItem asked = query.items().get(item);
        EntityView view = screen.views().get(item);
        String namespace = asked.key().namespace();
        if (asked.has(view)) {
            return EntityReactions.newBuilder()
                    .setNamespaceId(namespace)
                    .setEntityId(view.entity())
                    .setVersion(view.version())
                    .setUnchanged(true)
                    .build();
        }
        RecentReactorList newest =
                query.reactors() == 0
                        ? null
                        : screen.reactors().getOrDefault(asked.key(), RecentReactorList.EMPTY);
        PeopleOfState people = screen.people().get(asked.key());
        return entity(namespace, view, query.details(), newest, people);
    }

    private static EntityReactions entity(
            String namespace,
            EntityView view,
            boolean details,
            @Nullable RecentReactorList newest,
            @Nullable PeopleOfState people) {
        var entity =
                EntityReactions.newBuilder()
                        .setNamespaceId(namespace)
                        .setEntityId(view.entity())
                        .setLocked(view.isLocked());
        for (ReactionCount each : view.counts()) {
            entity.addCounts(count(each, details));
        }
        String user = view.user();
        if (user != null) {
            entity.setUserReactions(
                    UserReactions.newBuilder()
                            .setUserId(user)
                            .addAllReactionIds(view.userReactions()));
        }
        if (details) {
            addDetails(ScreenJson.detailed(view, newest, people), entity);
        }
        if (newest != null) {
            newest.reactors().forEach(each -> entity.addReactors(reactor(each)));
        }
        if (people != null) {
            entity.setPeople(people(people.json()));
        }
        return entity.build();
    }

    private static void addDetails(EntityJson json, EntityReactions.Builder entity) {
        if (json.version() != null) {
            entity.setVersion(json.version());
        }
        if (json.total() != null) {
            entity.setTotal(json.total());
        }
        if (json.sum() != null) {
            entity.setSum(json.sum().doubleValue());
        }
        if (json.average() != null) {
            entity.setAverage(json.average().doubleValue());
        }
    }

    private static dev.ovation.grpc.v1.ReactionCount count(ReactionCount count, boolean details) {
        var message =
                dev.ovation.grpc.v1.ReactionCount.newBuilder()
                        .setReactionId(count.reaction())
                        .setCount(count.count());
        if (details) {
            message.setFirstReactedAt(time(count.firstAt()))
                    .setLastReactedAt(time(count.lastAt()))
                    .setRetired(count.retired());
        }
        return message.build();
    }

    private static Reactor reactor(RecentReactor reactor) {
        var message = Reactor.newBuilder().setUserId(reactor.user());
        reactor.reactions()
                .forEach(each -> message.addReactions(given(each.reaction(), each.at())));
        return message.build();
    }

    private static Reactor reactor(ListedReactor reactor) {
        var message = Reactor.newBuilder().setUserId(reactor.user()).setFriend(reactor.friend());
        if (reactor.name() != null) {
            message.setDisplayName(reactor.name());
        }
        reactor.reactions()
                .forEach(each -> message.addReactions(given(each.reaction(), each.at())));
        return message.build();
    }

    private static GivenReaction given(String reaction, long at) {
        return GivenReaction.newBuilder().setReactionId(reaction).setReactedAt(time(at)).build();
    }

    private static People people(PeopleJson people) {
        var message = People.newBuilder().setTotal(people.total());
        if (people.friends() != null) {
            message.setFriends(people.friends());
        }
        if (people.shown() != null) {
            people.shown().forEach(each -> message.addShown(person(each)));
        }
        if (people.reactions() != null) {
            people.reactions().forEach(each -> message.addReactions(people(each)));
        }
        return message.build();
    }

    private static ReactionPeople people(PeopleJson.ReactionPeopleJson people) {
        var message =
                ReactionPeople.newBuilder()
                        .setReactionId(people.reactionId())
                        .setTotal(people.total());
        if (people.friends() != null) {
            message.setFriends(people.friends());
        }
        people.shown().forEach(each -> message.addShown(person(each)));
        return message.build();
    }

    private static Person person(PeopleJson.PersonJson person) {
        var message = Person.newBuilder().setUserId(person.userId());
        if (person.displayName() != null) {
            message.setDisplayName(person.displayName());
        }
        if (person.avatarUrl() != null) {
            message.setAvatarUrl(person.avatarUrl());
        }
        if (person.friend() != null) {
            message.setFriend(person.friend());
        }
        if (person.reactions() != null) {
            message.addAllReactionIds(person.reactions());
        }
        return message.build();
    }

    static ReactorList page(CrowdCalls.ListedPage page) {
        var message = ReactorList.newBuilder();
        page.users().forEach(each -> message.addUsers(reactor(each)));
        if (page.cursor() != null) {
            message.setNextCursor(page.cursor());
        }
        return message.build();
    }

    static EntityReactors crowd(CrowdCalls.EntityCrowd crowd) {
        var message =
                EntityReactors.newBuilder().setEntityId(crowd.entity()).setCount(crowd.count());
        crowd.users().forEach(each -> message.addUsers(reactor(each)));
        return message.build();
    }

    static UserReactionList page(CrowdCalls.GivenPage page) {
        var message = UserReactionList.newBuilder();
        for (CrowdCalls.Given each : page.reactions()) {
            message.addReactions(
                    EntityReaction.newBuilder()
                            .setNamespaceId(each.namespace())
                            .setEntityId(each.entity())
                            .setReactionId(each.reaction())
                            .setReactedAt(time(each.at())));
        }
        if (page.cursor() != null) {
            message.setNextCursor(page.cursor());
        }
        return message.build();
    }

    static WatchEvent event(LiveStreams.LiveEvent event) {
        var message = WatchEvent.newBuilder();
        switch (event) {
            case LiveStreams.StreamState state ->
                    message.setState(
                            WatchedState.newBuilder()
                                    .setEntity(
                                            state.shown()
                                                    .message(
                                                            EntityReactions.class,
                                                            view -> detailed(state, view)))
                                    .setSnapshot(state.first())
                                    .setId(state.id()));
            case LiveStreams.StreamEnd end ->
                    message.setEnd(
                            WatchEnd.newBuilder()
                                    .setReason(end.reason())
                                    .setRetryAfterMillis(end.retryMillis()));
        }
        return message.build();
    }

    private static EntityReactions detailed(LiveStreams.StreamState state, EntityView view) {
        return entity(state.namespace(), view, true, null, null);
    }

    private static Timestamp time(long micros) {
        int millis = (int) (Math.floorMod(micros, MICROS) / MICROS_OF_A_MILLISECOND);
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(micros, MICROS))
                .setNanos(millis * NANOS_OF_A_MILLISECOND)
                .build();
    }
}
