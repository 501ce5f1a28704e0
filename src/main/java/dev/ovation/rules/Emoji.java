package dev.ovation.rules;

import com.ibm.icu.text.UnicodeSet;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * The emoji sequences that Unicode recommends for general interchange (property RGI_Emoji, Unicode
 * 17), from ICU.
 */
final class Emoji {

    private static final int FIRST_TONE = 0x1F3FB;
    private static final int LAST_TONE = 0x1F3FF;

    /**
     * Keys of sequences for two people, whose form without skin tones is another character: two
     * people with different tones are several characters, two people without tones are one.
     */
    private static final Map<String, String> PAIRS =
            Map.ofEntries(
                    Map.entry("👨\u200d🤝\u200d👨", "👬"),
                    Map.entry("👩\u200d🤝\u200d👨", "👫"),
                    Map.entry("👩\u200d🤝\u200d👩", "👭"),
                    Map.entry("🧑\u200d❤\u200d💋\u200d🧑", "💏"),
                    Map.entry("🧑\u200d❤\u200d🧑", "💑"),
                    Map.entry("👨\u200d🐰\u200d👨", "👯\u200d♂"),
                    Map.entry("👩\u200d🐰\u200d👩", "👯\u200d♀"),
                    Map.entry("🧑\u200d🐰\u200d🧑", "👯"),
                    Map.entry("👨\u200d\ud83e\udeef\u200d👨", "🤼\u200d♂"),
                    Map.entry("👩\u200d\ud83e\udeef\u200d👩", "🤼\u200d♀"),
                    Map.entry("🧑\u200d\ud83e\udeef\u200d🧑", "🤼"),
                    Map.entry("🫱\u200d🫲", "🤝"));

    private Emoji() {}

    /** Read on first use, because ICU takes 0.3 seconds. */
    private static final class Recommended {
        private static final Map<String, String> SPELLINGS = spellings();

        private static Map<String, String> spellings() {
            var spellings = new HashMap<String, String>();
            for (String sequence : new UnicodeSet("[:RGI_Emoji:]")) {
                spellings.put(ReactionKey.of(sequence), sequence);
            }
            return Map.copyOf(spellings);
        }
    }

    /** Returns the full spelling of an emoji by its key; null when the key is of no emoji. */
    static @Nullable String spelling(String key) {
        return Recommended.SPELLINGS.get(key);
    }

    /** Returns the key of the same emoji without skin tones; another text is its own. */
    static String withoutSkinTones(String key) {
        if (key.codePoints().noneMatch(Emoji::isTone)) {
            return key;
        }
        String plain =
                key.codePoints()
                        .filter(each -> !isTone(each))
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString();
        return plain.isEmpty() ? key : PAIRS.getOrDefault(plain, plain);
    }

    private static boolean isTone(int codePoint) {
        return codePoint >= FIRST_TONE && codePoint <= LAST_TONE;
    }
}
