package dev.ovation.reaction.view;

import dev.ovation.web.http.ContentHash;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What an entity shows to everybody. All views of it share one of these, which makes each form
 * once, when somebody first wants it.
 */
final class Counted {

    private final String entity;
    private final String state;
    private final List<ReactionCount> counts;
    private volatile byte @Nullable [] json;
    private volatile @Nullable String tag;
    private volatile @Nullable String version;

    /**
     * What an entity shows to everybody.
     *
     * @param state of two of one entity the greater one is the newer
     * @param counts in the order of the answer
     */
    Counted(String entity, String state, List<ReactionCount> counts) {
        this.entity = entity;
        this.state = state;
        this.counts = counts;
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

    /** In the form of the older service, without a user; nobody may change the bytes. */
    byte[] json() {
        byte[] made = json;
        if (made == null) {
            made = EntityJson.counted(entity, counts);
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

    /** The state, and a hash of all that it shows: by other rules it may show something else. */
    String version() {
        String made = version;
        if (made == null) {
            byte[] content = Json.bytes(EntityJson.detailed(entity, counts));
            made = state + '.' + ContentHash.of(content);
            version = made;
        }
        return made;
    }

    /** The same for somebody who has these reactions. */
    String version(String viewer, List<String> reactions) {
        // Ids hold no control characters, so nothing else reads the same.
        String content = version() + '\n' + viewer + '\n' + String.join("\n", reactions);
        return state + '.' + ContentHash.of(content.getBytes(StandardCharsets.UTF_8));
    }
}
