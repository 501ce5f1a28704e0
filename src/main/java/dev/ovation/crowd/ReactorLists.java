package dev.ovation.crowd;

import dev.ovation.crowd.ReactorQuery.FriendFilter;
import dev.ovation.crowd.ReactorQuery.ReactorPosition;
import dev.ovation.entity.EntityKey;
import dev.ovation.rules.ReactionKey;
import dev.ovation.store.replica.ReadKind;
import dev.ovation.store.replica.ReplicaReader;
import dev.ovation.store.replica.ReplicaReads;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.util.List;

/**
 * The interface of this package for other modules: the users with one reaction, the newest first.
 */
@Component
public final class ReactorLists {

    /** A time after every reaction, in microseconds since 1970; the next number fits 53 bits. */
    private static final long END = (1L << 53) - 2;

    private final ReplicaReader<ReactorListReader> reactors;

    ReactorLists(ReplicaReads reads, Shards shards) {
        this.reactors = reads.reader(ReadKind.LIST, jdbc -> new ReactorListReader(jdbc, shards));
    }

    /**
     * A user with the reaction.
     *
     * @param name null for a user without a name
     */
    public record Liker(String id, @Nullable String name) {}

    /**
     * A place at which a list continues.
     *
     * @param others whether all friends, who come first, have been listed
     * @param at time of the last listed user, in microseconds since 1970, below 2^53
     * @param user last listed user; orders users of the same time, the greatest id first; empty
     *     when all users of that time have been listed
     */
    public record LikerPlace(boolean others, long at, String user) {}

    /**
     * A page of users.
     *
     * @param users may be fewer than the requested size, or none, though more follow
     * @param next place of the next page; null at the end
     */
    public record LikerPage(List<Liker> users, @Nullable LikerPlace next) {}

    /**
     * Reads a page.
     *
     * @param viewer user whose friends come first; null for none
     * @param onlyFriends whether others are left out; needs a viewer
     * @param from place at which the page begins; null for the beginning
     * @param size users at most
     */
    public LikerPage page(
            EntityKey key,
            String reaction,
            @Nullable String viewer,
            boolean onlyFriends,
            @Nullable LikerPlace from,
            int size) {
        FriendFilter friends = onlyFriends ? FriendFilter.ONLY : FriendFilter.FIRST;
        var query =
                new ReactorQuery(
                        key,
                        ReactionKey.of(reaction),
                        false,
                        viewer,
                        viewer == null ? FriendFilter.AMONG_ALL : friends,
                        from == null
                                ? null
                                : new ReactorPosition(from.others, END, from.at, from.user),
                        size);
        ReactorPage page = reactors.newest(lists -> lists.page(query));
        ReactorPosition next = page.next();
        return new LikerPage(
                page.reactors().stream().map(each -> new Liker(each.user(), each.name())).toList(),
                next == null ? null : new LikerPlace(next.others(), next.at(), next.user()));
    }
}
