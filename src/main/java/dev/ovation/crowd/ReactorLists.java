package dev.ovation.crowd;

import dev.ovation.crowd.ReactorQuery.Friends;
import dev.ovation.crowd.ReactorQuery.Progress;
import dev.ovation.entity.EntityKey;
import dev.ovation.rules.ReactionKey;
import dev.ovation.store.PostgresGate;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.util.List;

/** The door of this module for others of the program: who has one reaction, the newest first. */
@Component
public final class ReactorLists {

    /** No reaction is as new as this, in microseconds since 1970; the next number fits 53 bits. */
    private static final long END = (1L << 53) - 2;

    private final Reactors reactors;
    private final PostgresGate gate;

    ReactorLists(Reactors reactors, PostgresGate gate) {
        this.reactors = reactors;
        this.gate = gate;
    }

    /**
     * A user who has the reaction.
     *
     * @param name null for one who has none
     */
    public record User(String id, @Nullable String name) {}

    /**
     * Where a list goes on.
     *
     * @param others whether the friends, who come first, are through
     * @param at time of the last one who was given, in microseconds since 1970, below 2^53
     * @param user that one, who decides among those of one time, the greatest id first; empty when
     *     all of that time are through
     */
    public record Place(boolean others, long at, String user) {}

    /**
     * A page.
     *
     * @param users may be fewer than asked for, or none, though there are more
     * @param next null at the end
     */
    public record Page(List<User> users, @Nullable Place next) {}

    /**
     * Reads a page.
     *
     * @param viewer whose friends come first; null for nobody's
     * @param onlyFriends whether others are left out; needs a viewer
     * @param from null for the beginning
     * @param size users at most
     */
    public Page page(
            EntityKey key,
            String reaction,
            @Nullable String viewer,
            boolean onlyFriends,
            @Nullable Place from,
            int size) {
        Friends friends = onlyFriends ? Friends.ONLY : Friends.FIRST;
        var query =
                new ReactorQuery(
                        key,
                        ReactionKey.of(reaction),
                        false,
                        viewer,
                        viewer == null ? Friends.AMONG_ALL : friends,
                        from == null ? null : new Progress(from.others, END, from.at, from.user),
                        size);
        ReactorPage page = gate.ask(() -> reactors.page(query));
        Progress next = page.next();
        return new Page(
                page.reactors().stream().map(each -> new User(each.user(), each.name())).toList(),
                next == null ? null : new Place(next.others(), next.at(), next.user()));
    }
}
