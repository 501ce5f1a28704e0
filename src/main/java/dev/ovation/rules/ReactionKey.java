package dev.ovation.rules;

import java.text.Normalizer;

/**
 * The key by which reaction ids are compared, counted and stored: normalised to NFC, every
 * variation selector U+FE0F removed, unless the id has no other character: then one stays, because
 * no key is empty. Skin tones, joiners and tags are kept: they make other reactions.
 */
public final class ReactionKey {

    private static final String VARIATION_SELECTOR = "\uFE0F";

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
