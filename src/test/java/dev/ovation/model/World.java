package dev.ovation.model;

import dev.ovation.model.Ruleset.Space;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ids and rules of sequences; the first item of each list is the simplest. */
final class World {

    private static final String HEART = "❤\uFE0F";
    private static final String BARE_HEART = "❤";

    /** Users; two spellings of a name are two users. */
    static final List<String> USERS =
            List.of(
                    "ann",
                    "ben / \\ ; % .. | { } : \"q\" 'q' +&=#?",
                    "👩‍💻",
                    HEART,
                    BARE_HEART,
                    "caf\u00e9",
                    "cafe\u0301",
                    "z".repeat(256));

    /** Invalid user ids of a write. */
    static final List<String> ILL_FORMED = List.of("", "a\tb", "\u0085", "é".repeat(129));

    static final List<String> ENTITIES =
            List.of("post", "a/b\\c;%2F..|{7}:\"q\" 'q'+&=#?", HEART, BARE_HEART, "posts:post");

    static final String UNKNOWN_NAMESPACE = "nowhere";

    /**
     * Reactions that a user may send to a namespace, including other spellings and unknown ones.
     */
    private static final Map<String, List<String>> REACTIONS =
            Map.of(
                    "posts",
                    List.of(
                            "👍",
                            "👎",
                            HEART,
                            BARE_HEART,
                            "👍🏽",
                            "👍\uFE0F",
                            "👩‍💻",
                            "party",
                            "epoch",
                            "unheard of"),
                    "one-of.1",
                    List.of("like", "dislike", "LIKE"),
                    "ratings",
                    List.of("1", "2", "3", "4", "5"),
                    "Free_4",
                    List.of(
                            "caf\u00e9",
                            "cafe\u0301",
                            "r:x",
                            "x/ \\;%|{}:\"'",
                            "🏳\uFE0F‍🌈",
                            "🏳‍🌈",
                            "complete",
                            "at"),
                    "closed",
                    List.of("like", "dislike"),
                    "judged",
                    List.of("like", "dislike", "party", "epoch", "👍"),
                    "chat",
                    List.of(
                            "👍",
                            "👍🏽",
                            "👍🏿",
                            BARE_HEART,
                            "🎉",
                            "🏳‍🌈",
                            "🏳\uFE0F‍🌈",
                            "👩🏽‍🤝‍👨🏻",
                            "👫",
                            "party",
                            "unheard of"),
                    UNKNOWN_NAMESPACE,
                    List.of("like"));

    /** The rules in force at the beginning of a sequence. */
    static final Ruleset USUAL =
            new Ruleset(
                    "the usual rules",
                    values("👩‍💻", HEART, 3.5),
                    Map.of(
                            "posts",
                            new Space(
                                    List.of("👍", "👎", HEART, "👍🏽", "👩‍💻", "party", "epoch"),
                                    4,
                                    List.of(
                                            List.of("👍", "👎"),
                                            List.of("👎", BARE_HEART, "👍🏽"),
                                            List.of("👍🏽", "👍", "👎"))),
                            "one-of.1",
                            new Space(
                                    List.of("like", "dislike"),
                                    1,
                                    List.of(List.of("like", "dislike"))),
                            "ratings",
                            new Space(
                                    List.of("5", "4", "3", "2", "1"),
                                    3,
                                    List.of(List.of("1", "2", "3", "4", "5"))),
                            "Free_4",
                            new Space(
                                    List.of(
                                            "caf\u00e9",
                                            "r:x",
                                            "x/ \\;%|{}:\"'",
                                            "🏳\uFE0F‍🌈",
                                            "complete",
                                            "at"),
                                    20,
                                    List.of()),
                            "closed",
                            new Space(List.of("like", "dislike"), 0, List.of()),
                            "judged",
                            new Space(
                                    List.of("like", "dislike", "party", "epoch", "👍"),
                                    4,
                                    List.of(List.of("like", "dislike")),
                                    Condition.each(2),
                                    Condition.total(5),
                                    Condition.notFirst("party"),
                                    Condition.after("epoch", "like"),
                                    Condition.lasting("dislike")),
                            "chat",
                            chat(4, 2)));

    /**
     * Stricter rules: reactions retired or removed, with new spellings and values, a namespace
     * closed or removed.
     */
    static final Ruleset TIGHT =
            new Ruleset(
                    "the tight rules",
                    values(null, BARE_HEART, 4.0),
                    Map.of(
                            "posts",
                            new Space(
                                    List.of("party", "epoch", BARE_HEART, "👍"),
                                    2,
                                    List.of(List.of("party", "👍"))),
                            "one-of.1",
                            new Space(List.of("like"), 0, List.of()),
                            "ratings",
                            new Space(
                                    List.of("1", "2", "3", "5"),
                                    2,
                                    List.of(List.of("5", "3", "2", "1"))),
                            "closed",
                            new Space(List.of("dislike", "like"), 1, List.of()),
                            "judged",
                            new Space(
                                    List.of("like", "dislike", "party"),
                                    2,
                                    List.of(),
                                    Condition.lasting("like"),
                                    Condition.total(3)),
                            "chat",
                            chat(3, 1)));

    static final List<String> NAMESPACES =
            List.of(
                    "posts",
                    "one-of.1",
                    "ratings",
                    "Free_4",
                    "closed",
                    "judged",
                    "chat",
                    UNKNOWN_NAMESPACE);

    private World() {}

    /** A namespace that is open to emoji, and counts them without skin tones. */
    private static Space chat(int limit, int mine) {
        return new Space(
                List.of("👍", HEART),
                limit,
                List.of(List.of("👍", HEART)),
                Map.of("🎉", "🎉", "🏳‍🌈", "🏳\uFE0F‍🌈", "👫", "👫"),
                Map.of("👍🏽", "👍", "👍🏿", "👍", "👩🏽‍🤝‍👨🏻", "👫"),
                mine,
                List.of());
    }

    static List<String> plainerUsers(String user) {
        return USERS.subList(0, Math.max(0, USERS.indexOf(user)));
    }

    static List<String> reactions(String namespace) {
        return REACTIONS.get(namespace);
    }

    private static Map<String, Double> values(String atWork, String heart, double three) {
        var values = new LinkedHashMap<String, Double>();
        var plain =
                new ArrayList<>(
                        List.of("👍", "👎", heart, "👍🏽", "party", "epoch", "like", "dislike"));
        plain.addAll(
                List.of("caf\u00e9", "r:x", "x/ \\;%|{}:\"'", "🏳\uFE0F‍🌈", "complete", "at"));
        if (atWork != null) {
            plain.add(atWork);
        }
        plain.forEach(id -> values.put(id, null));
        values.put("1", 1.0);
        values.put("2", 2.25);
        values.put("3", three);
        values.put("4", -4.0);
        values.put("5", 5.0);
        return values;
    }
}
