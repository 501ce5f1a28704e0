package dev.ovation.rules;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The key by which reaction ids are compared, counted and stored: normalised to NFC, every
 * variation selector U+FE0F removed, unless the id has no other character: then one stays, because
 * no key is empty. Skin tones, joiners and tags are kept: they make other reactions.
 */
public final class ReactionKey {

    private static final String VARIATION_SELECTOR = "\uFE0F";

    /** The order of keys by their bytes, in which Postgres sorts reactions of the same time. */
    public static final Comparator<String> ORDER =
            Comparator.comparing(
                    key -> key.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private ReactionKey() {}

    /** Returns the key of a reaction id in any spelling; a key is its own key. */
    public static String of(String reactionId) {
        String text = reactionId.replace(VARIATION_SELECTOR, "");
        if (text.isEmpty() && !reactionId.isEmpty()) {
            return VARIATION_SELECTOR;
        }
        // In this order: characters that a selector separated may compose after its removal.
        return Normalizer.normalize(text, Normalizer.Form.NFC);
    }
}
