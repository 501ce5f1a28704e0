package dev.ovation.pcc;

import dev.ovation.entity.EntityKey;
import dev.ovation.pcc.LikeLists.Part;
import dev.ovation.pcc.Likers.Liker;
import dev.ovation.reaction.SingleReactions;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The four actions, and what they answer. */
final class Pcc {

    static final String NAMESPACE = "pcc";
    static final String LIKE = "like";

    private static final int LIKES_SHOWN = 20;

    private final SingleReactions reactions;
    private final LikeLists lists;

    Pcc(SingleReactions reactions, LikeLists lists) {
        this.reactions = reactions;
        this.lists = lists;
    }

    /** The members of the answer, in order. */
    Map<String, Object> answer(PccRequest request) {
        var key = new EntityKey(NAMESPACE, request.object().toString());
        var answer = new LinkedHashMap<String, Object>();
        answer.put("oid", request.object());
        switch (request.action()) {
            case LIKE -> {
                String user = user(request);
                reactions.add(key, user, LIKE);
                answer.put("uid", request.user());
                answer.put(
                        "like_list", likes(lists.read(key.entity(), user, false, 0, LIKES_SHOWN)));
            }
            case IS_LIKE -> {
                answer.put("uid", request.user());
                answer.put("is_like", reactions.has(key, user(request), LIKE) ? 1 : 0);
            }
            case COUNT -> answer.put("count", reactions.count(key, LIKE));
            case LIST -> {
                BigInteger viewer = request.user();
                Part part =
                        lists.read(
                                key.entity(),
                                viewer == null ? null : viewer.toString(),
                                request.onlyFriends(),
                                request.cursor(),
                                request.pageSize());
                answer.put("like_list", likes(part));
                answer.put("next_cursor", new BigInteger(Long.toUnsignedString(part.next())));
            }
        }
        return answer;
    }

    private static String user(PccRequest request) {
        return Objects.requireNonNull(request.user()).toString();
    }

    private static List<Map<String, String>> likes(Part part) {
        return part.likers().stream().map(each -> Map.of(each.user(), name(each))).toList();
    }

    private static String name(Liker liker) {
        @Nullable String name = liker.name();
        return name == null ? "" : name;
    }
}
