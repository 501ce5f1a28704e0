package dev.ovation.reaction;

import dev.ovation.web.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What an entity shows. Immutable; the form of the older service is rendered once. */
final class EntityView {

    private final String entity;
    private final String version;
    private final List<ReactionCount> counts;
    private final @Nullable String user;
    private final List<String> userReactions;
    private final long ageSeconds;
    private volatile byte @Nullable [] counted;

    /**
     * What an entity shows.
     *
     * @param version opaque; of two of one entity the greater one is the newer
     * @param counts in the order of the answer
     * @param user whose reactions {@code userReactions} are, or null
     * @param ageSeconds how old the counts may be
     */
    EntityView(
            String entity,
            String version,
            List<ReactionCount> counts,
            @Nullable String user,
            List<String> userReactions,
            long ageSeconds) {
        this.entity = entity;
        this.version = version;
        this.counts = counts;
        this.user = user;
        this.userReactions = userReactions;
        this.ageSeconds = ageSeconds;
    }

    String entity() {
        return entity;
    }

    String version() {
        return version;
    }

    List<ReactionCount> counts() {
        return counts;
    }

    @Nullable String user() {
        return user;
    }

    List<String> userReactions() {
        return userReactions;
    }

    long ageSeconds() {
        return ageSeconds;
    }

    /** The same, some time later. */
    EntityView aged(long seconds) {
        var older = new EntityView(entity, version, counts, user, userReactions, seconds);
        older.counted = counted();
        return older;
    }

    /** The same at the same moment, as somebody sees it who has these reactions. */
    EntityView seenBy(String viewer, List<String> reactions) {
        var seen = new EntityView(entity, version, counts, viewer, reactions, ageSeconds);
        seen.counted = counted();
        return seen;
    }

    /** As JSON; nobody may change the bytes. */
    byte[] json(boolean details) {
        if (details) {
            return Json.bytes(EntityJson.detailed(this));
        }
        return user == null
                ? counted()
                : EntityJson.withUserReactions(counted(), user, userReactions);
    }

    private byte[] counted() {
        byte[] rendered = counted;
        if (rendered == null) {
            rendered = EntityJson.counted(entity, counts);
            counted = rendered;
        }
        return rendered;
    }
}
