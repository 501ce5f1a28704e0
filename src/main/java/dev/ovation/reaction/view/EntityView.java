package dev.ovation.reaction.view;

import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What an entity shows to somebody, or to nobody in particular. Immutable. */
public final class EntityView {

    private final Counted counted;
    private final @Nullable String user;
    private final List<String> userReactions;
    private final long ageSeconds;

    /**
     * What an entity shows.
     *
     * @param state of two of one entity the greater one is the newer
     * @param counts in the order of the answer
     * @param user whose reactions {@code userReactions} are, or null
     * @param ageSeconds how old the counts may be
     */
    public EntityView(
            String entity,
            String state,
            List<ReactionCount> counts,
            @Nullable String user,
            List<String> userReactions,
            long ageSeconds) {
        this(new Counted(entity, state, counts), user, userReactions, ageSeconds);
    }

    private EntityView(
            Counted counted, @Nullable String user, List<String> userReactions, long ageSeconds) {
        this.counted = counted;
        this.user = user;
        this.userReactions = userReactions;
        this.ageSeconds = ageSeconds;
    }

    public String entity() {
        return counted.entity();
    }

    /**
     * What clients remember, opaque to them: of two of one entity the greater one is the newer
     * state, and who has the same one has been shown the same.
     */
    public String version() {
        return user == null ? counted.version() : counted.version(user, userReactions);
    }

    /** What every version of this state is greater than, and no version of an older one. */
    String state() {
        return counted.state();
    }

    /** Whether this state comes after that of a number. */
    boolean isAheadOf(long number) {
        String state = counted.state();
        return Long.parseLong(state.substring(state.indexOf('.') + 1)) > number;
    }

    /** Whether a version of this entity is of a newer state, or of the same and shows another. */
    boolean isOlderThan(String version) {
        return version.compareTo(counted.state()) > 0 && !version.equals(version());
    }

    public List<ReactionCount> counts() {
        return counted.counts();
    }

    @Nullable String user() {
        return user;
    }

    public List<String> userReactions() {
        return userReactions;
    }

    public long ageSeconds() {
        return ageSeconds;
    }

    /** The same, some time later. */
    public EntityView aged(long seconds) {
        return new EntityView(counted, user, userReactions, seconds);
    }

    /** The same at the same moment, as somebody sees it who has these reactions. */
    public EntityView seenBy(String viewer, List<String> reactions) {
        return new EntityView(counted, viewer, reactions, ageSeconds);
    }

    /** 200 with {@link #json}. */
    public HttpAnswer answer(boolean details) {
        return user == null && !details ? counted.answer() : HttpAnswer.ofJson(json(details));
    }

    /** As JSON; nobody may change the bytes. */
    public byte[] json(boolean details) {
        if (details) {
            return Json.bytes(EntityJson.detailed(this));
        }
        return user == null
                ? counted.json()
                : EntityJson.withUserReactions(counted.json(), user, userReactions);
    }
}
