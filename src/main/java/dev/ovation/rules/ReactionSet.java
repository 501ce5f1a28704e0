package dev.ovation.rules;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/**
 * Reactions that can be used together, in the order in which they are shown.
 *
 * @param open the reactions that can be used besides the listed ones; null for none
 * @param skinTones how emoji with skin tones are compared; null for as they are
 */
public record ReactionSet(
        String id,
        List<String> reactionIds,
        @Nullable Openness open,
        @Nullable SkinTones skinTones) {

    /** Greatest number of bytes of a reaction that no set lists. */
    static final int MOST_BYTES = 64;

    /** Reactions that a set accepts besides its listed ones. */
    public enum Openness {
        /** Nothing. */
        @JsonProperty("none")
        NONE,
        /** Every emoji. */
        @JsonProperty("emoji")
        EMOJI,
        /** Every text of at most 64 bytes. */
        @JsonProperty("any")
        ANY
    }

    /** How a set compares emoji with skin tones. */
    public enum SkinTones {
        /** Each tone is another reaction. */
        @JsonProperty("keep")
        KEEP,
        /** All tones count as the emoji without one. */
        @JsonProperty("fold")
        FOLD
    }

    public ReactionSet {
        reactionIds = List.copyOf(reactionIds);
        open = open == Openness.NONE ? null : open;
        skinTones = skinTones == SkinTones.KEEP ? null : skinTones;
    }

    /** Returns this set with more reactions behind its own. */
    ReactionSet with(List<String> more) {
        return more.isEmpty()
                ? this
                : new ReactionSet(
                        id,
                        Stream.concat(reactionIds.stream(), more.stream()).toList(),
                        open,
                        skinTones);
    }

    /** Creates a set of its listed reactions. */
    public ReactionSet(String id, List<String> reactionIds) {
        this(id, reactionIds, null, null);
    }
}
