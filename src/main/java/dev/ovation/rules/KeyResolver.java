package dev.ovation.rules;

import dev.ovation.rules.ReactionSet.SkinTones;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Resolves the names of reactions in requests and constraints to keys, for one reaction set. */
public final class KeyResolver {

    private final Set<String> listed = new HashSet<>();
    private final Map<String, String> shortNames = new HashMap<>();
    private final boolean isFolded;

    /**
     * Creates the resolver of a set.
     *
     * @param defined reactions by key, those of the set included
     */
    public KeyResolver(ReactionSet set, Map<String, ReactionDefinition> defined) {
        isFolded = set.skinTones() == SkinTones.FOLD;
        for (String id : set.reactionIds()) {
            String key = ReactionKey.of(id);
            listed.add(key);
            ReactionDefinition reaction = defined.get(key);
            String name = reaction == null ? null : reaction.shortName();
            if (name != null) {
                shortNames.putIfAbsent(name.replace(":", ""), key);
            }
        }
    }

    /**
     * Returns the key of a reaction id in any spelling, or of its short name between colons; of an
     * emoji with skin tones that the set does not list and does not distinguish, the key of the
     * emoji without them.
     */
    public String keyOf(String reactionId) {
        String key = ReactionKey.of(reactionId);
        if (listed.contains(key)) {
            return key;
        }
        boolean isShort = key.length() > 2 && key.startsWith(":") && key.endsWith(":");
        String named = isShort ? shortNames.get(key.substring(1, key.length() - 1)) : null;
        if (named != null) {
            return named;
        }
        return isFolded ? Emoji.withoutSkinTones(key) : key;
    }
}
