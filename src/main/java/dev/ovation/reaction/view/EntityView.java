package dev.ovation.reaction.view;

import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The view of an entity, for a viewer or without one. Immutable. */
public final class EntityView {

    private final SharedView counted;
    private final @Nullable String user;
    private final List<String> userReactions;
    private final long ageSeconds;

    /**
     * Creates a view of an entity, which does not know its people.
     *
     * @param state state as text; the greater of two texts of one entity is the newer state
     * @param counts in the order of the answer
     * @param user user with the reactions {@code userReactions}, or null
     * @param ageSeconds greatest age of the counts
     */
    public EntityView(
            String entity,
            String state,
            List<ReactionCount> counts,
            @Nullable String user,
            List<String> userReactions,
            long ageSeconds) {
        this(entity, state, counts, user, userReactions, ageSeconds, false);
    }

    /** Creates a view of an entity that may be locked, which does not know its people. */
    EntityView(
            String entity,
            String state,
            List<ReactionCount> counts,
            @Nullable String user,
            List<String> userReactions,
            long ageSeconds,
            boolean locked) {
        this(new SharedView(entity, state, counts, 0, locked), user, userReactions, ageSeconds);
    }

    /**
     * Creates a view without a viewer, just read.
     *
     * @param people number of users with a reaction
     */
    EntityView(
            String entity, String state, List<ReactionCount> counts, long people, boolean locked) {
        this(new SharedView(entity, state, counts, people, locked), null, List.of(), 0);
    }

    private EntityView(
            SharedView counted,
            @Nullable String user,
            List<String> userReactions,
            long ageSeconds) {
        this.counted = counted;
        this.user = user;
        this.userReactions = userReactions;
        this.ageSeconds = ageSeconds;
    }

    public String entity() {
        return counted.entity();
    }

    /**
     * Returns the version, which is opaque to clients. The greater of two versions of one entity is
     * the newer state; equal versions have equal content.
     */
    public String version() {
        return user == null ? counted.version() : counted.version(user, userReactions);
    }

    /**
     * Returns a text that every version of this state exceeds, and no version of an older state.
     */
    public String state() {
        return counted.state();
    }

    /** Returns whether this state comes after the state of a number. */
    boolean isAheadOf(long number) {
        String state = counted.state();
        return Long.parseLong(state.substring(state.indexOf('.') + 1)) > number;
    }

    /**
     * Returns whether a version of this entity is of a newer state, or of the same state with other
     * content.
     */
    boolean isOlderThan(String version) {
        return version.compareTo(counted.state()) > 0 && !version.equals(version());
    }

    public List<ReactionCount> counts() {
        return counted.counts();
    }

    /** Returns the number of users with a reaction; 0 in the result of a write. */
    public long people() {
        return counted.people();
    }

    /** Returns whether the entity takes no reactions, or some only. */
    public boolean isLocked() {
        return counted.isLocked();
    }

    /** Returns the viewer; null for none. */
    public @Nullable String user() {
        return user;
    }

    public List<String> userReactions() {
        return userReactions;
    }

    public long ageSeconds() {
        return ageSeconds;
    }

    /** Returns the same view, some time later. */
    public EntityView aged(long seconds) {
        return new EntityView(counted, user, userReactions, seconds);
    }

    /** Returns the view of the same state for a viewer with these reactions. */
    public EntityView seenBy(String viewer, List<String> reactions) {
        return new EntityView(counted, viewer, reactions, ageSeconds);
    }

    /** 200 with {@link #json}. */
    public HttpAnswer answer(boolean details) {
        return user == null && !details ? counted.answer() : HttpAnswer.ofJson(json(details));
    }

    /** Returns the JSON; callers must not change the bytes. */
    public byte[] json(boolean details) {
        if (details) {
            return Json.bytes(EntityJson.detailed(this));
        }
        return user == null
                ? counted.json()
                : EntityJson.withUserReactions(counted.json(), user, userReactions);
    }
}
