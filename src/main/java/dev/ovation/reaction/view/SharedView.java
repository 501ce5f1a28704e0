package dev.ovation.reaction.view;

import dev.ovation.web.http.ContentHash;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The part of a view that all viewers share. All views of a state share one instance, which renders
 * each form once, on first use.
 */
final class SharedView {

    private final String entity;
    private final String state;
    private final List<ReactionCount> counts;
    private final long people;
    private final boolean locked;
    private volatile byte @Nullable [] json;
    private volatile @Nullable String tag;
    private volatile @Nullable String version;

    /**
     * Creates the shared part of the views of an entity.
     *
     * @param state state as text; the greater of two texts of one entity is the newer state
     * @param counts in the order of the answer
     * @param people number of users with a reaction
     * @param locked whether it takes no reactions, or some only
     */
    SharedView(
            String entity, String state, List<ReactionCount> counts, long people, boolean locked) {
        this.entity = entity;
        this.state = state;
        this.counts = counts;
        this.people = people;
        this.locked = locked;
    }

    String entity() {
        return entity;
    }

    String state() {
        return state;
    }

    List<ReactionCount> counts() {
        return counts;
    }

    long people() {
        return people;
    }

    boolean isLocked() {
        return locked;
    }

    /** Returns the JSON of the older service, without a user; callers must not change the bytes. */
    byte[] json() {
        byte[] made = json;
        if (made == null) {
            made = EntityJson.counted(entity, counts, locked);
            json = made;
        }
        return made;
    }

    /** 200 with {@link #json}. */
    HttpAnswer answer() {
        String made = tag;
        if (made == null) {
            made = HttpAnswer.entityTag(json());
            tag = made;
        }
        return HttpAnswer.ofJson(json(), made);
    }

    /**
     * Returns the state and a hash of the content: other rules may give other content for one
     * state.
     */
    String version() {
        String made = version;
        if (made == null) {
            byte[] content = Json.bytes(EntityJson.detailed(entity, counts, locked));
            made = state + '.' + ContentHash.of(content);
            version = made;
        }
        return made;
    }

    /** Returns the version for a viewer with these reactions. */
    String version(String viewer, List<String> reactions) {
        // Ids hold no control characters, so the text is unambiguous.
        String content = version() + '\n' + viewer + '\n' + String.join("\n", reactions);
        return state + '.' + ContentHash.of(content.getBytes(StandardCharsets.UTF_8));
    }
}
