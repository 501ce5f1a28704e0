package dev.ovation.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.UnicodeSet;

import dev.ovation.rules.ReactionSet.Openness;
import dev.ovation.rules.ReactionSet.SkinTones;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class OpenSetTest {

    private static final String HEART = "\u2764\uFE0F";

    private static NamespaceRules rules(Openness open, SkinTones tones) {
        var reactions =
                List.of(
                        new ReactionDefinition("👍", ":thumbsup:", "unicode", "👍", null, null),
                        new ReactionDefinition(
                                "party", "party", "custom", null, "https://example.com/p", null));
        var set = new ReactionSet("s", List.of("👍", "party"), open, tones);
        return new RuleSet(
                        reactions,
                        List.of(set),
                        List.of(new Namespace("chat", "s", 9, List.of(), 3)))
                .namespace("chat");
    }

    /** Each emoji that Unicode recommends, as a keyboard sends it. */
    private static List<String> emoji() {
        var all = new ArrayList<String>();
        for (String each : new UnicodeSet("[:RGI_Emoji:]")) {
            all.add(each);
        }
        return all;
    }

    @Test
    void aClosedSetTakesItsListedReactionsOnly() {
        var closed = rules(Openness.NONE, SkinTones.KEEP);
        assertThat(closed.key("👍")).isEqualTo("👍");
        assertThat(closed.key("🎉")).isNull();
        assertThat(closed.isOpen()).isFalse();
    }

    @Test
    void everyEmojiIsTakenAndSpelledInFull() {
        var open = rules(Openness.EMOJI, SkinTones.KEEP);
        assertThat(emoji()).hasSizeGreaterThan(3_900).contains("🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🇳🇱", "👩🏽‍🚀");
        for (String each : emoji()) {
            String key = open.key(each);
            assertThat(key).as(each).isEqualTo(ReactionKey.of(each));
            assertThat(open.spelling(key)).isEqualTo(each);
        }
        assertThat(open.key("\u2764")).isEqualTo("\u2764");
        assertThat(open.spelling("\u2764")).isEqualTo(HEART);
    }

    @Test
    void whatIsNoEmojiIsNotTaken() {
        var open = rules(Openness.EMOJI, SkinTones.KEEP);
        for (String none :
                List.of(
                        "a",
                        "1",
                        "#",
                        "🇳",
                        "🇳🇱🇳🇱",
                        "👍👍",
                        "👍 ",
                        "\u200d",
                        "🏴󠁧󠁢󠁸󠁸󠁿",
                        "©x")) {
            assertThat(open.key(none)).as(none).isNull();
        }
    }

    @Test
    void anyTextOfAtMost64BytesIsTaken() {
        var any = rules(Openness.ANY, SkinTones.KEEP);
        assertThat(any.key("é".repeat(32))).isNotNull();
        assertThat(any.key("é".repeat(32) + "x")).isNull();
        assertThat(any.isFreeText("nice")).isTrue();
        assertThat(any.isFreeText("🎉")).isFalse();
        assertThat(any.isFreeText("party")).isFalse();
    }

    @Test
    void foldedSkinTonesCountAsAnEmojiWithoutOne() {
        var fold = rules(Openness.EMOJI, SkinTones.FOLD);
        assertThat(fold.key("👍🏽")).isEqualTo("👍");
        assertThat(fold.key("👩🏽‍🤝‍👨🏻")).isEqualTo("👫");
        assertThat(fold.key("🫱🏻‍🫲🏿")).isEqualTo("🤝");
        assertThat(fold.key("🏽")).isEqualTo("🏽");
        for (String each : emoji()) {
            String key = fold.key(each);
            assertThat(key).as(each).isNotNull();
            assertThat(fold.keyOf(key)).isEqualTo(key);
            boolean isToned = each.codePointCount(0, each.length()) > 1 && tones(each) > 0;
            assertThat(tones(key)).as(each).isEqualTo(isToned ? 0 : tones(each));
        }
    }

    private static long tones(String text) {
        return text.codePoints().filter(each -> each >= 0x1F3FB && each <= 0x1F3FF).count();
    }

    @Test
    void aListedToneIsNotFolded() {
        var set = new ReactionSet("s", List.of("👍🏽"), null, SkinTones.FOLD);
        var reaction = new ReactionDefinition("👍🏽", null, "unicode", "👍🏽", null, null);
        var listed =
                new RuleSet(
                                List.of(reaction),
                                List.of(set),
                                List.of(new Namespace("n", "s", 9, List.of())))
                        .namespace("n");
        assertThat(listed.key("👍🏽")).isEqualTo("👍🏽");
        assertThat(listed.key("👍🏿")).isNull();
    }

    @Test
    void aShortNameBetweenColonsIsTheReaction() {
        var closed = rules(Openness.NONE, SkinTones.KEEP);
        assertThat(closed.key(":thumbsup:")).isEqualTo("👍");
        assertThat(closed.key(":party:")).isEqualTo("party");
        assertThat(closed.key("thumbsup")).isNull();
        assertThat(closed.key("::")).isNull();
        assertThat(closed.key(":")).isNull();
        assertThat(closed.key(":unheard:")).isNull();
    }

    @Test
    void storedRulesKeepTheirOpennessAndOlderOnesAreClosed() {
        var set = new ReactionSet("s", List.of(), Openness.ANY, SkinTones.FOLD);
        var rules =
                new RuleSet(
                        List.of(), List.of(set), List.of(new Namespace("n", "s", 1, List.of(), 2)));
        assertThat(rules.toJson()).contains("\"open\":\"any\"", "\"skin_tones\":\"fold\"");
        var read = RuleSet.fromJson(rules.toJson());
        assertThat(read.reactionSets()).containsExactly(set);
        assertThat(read.namespace("n").maxReactionsPerUser()).isEqualTo(2);
        var older = new RuleSet(List.of(), List.of(new ReactionSet("s", List.of())), List.of());
        assertThat(older.toJson()).doesNotContain("open", "skin_tones");
    }
}
