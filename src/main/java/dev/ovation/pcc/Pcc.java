package dev.ovation.pcc;

import dev.ovation.crowd.ReactorLists.Liker;
import dev.ovation.entity.EntityKey;
import dev.ovation.pcc.LikeLists.LikeListPart;
import dev.ovation.reaction.ReactionCalls;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The four actions of the contest and their answers. */
final class Pcc {

    static final String NAMESPACE = "pcc";
    static final String LIKE = "like";

    private static final Logger LOG = LoggerFactory.getLogger(Pcc.class);
    private static final int LIKES_SHOWN = 20;

    private final ReactionCalls reactions;
    private final LikeLists lists;

    Pcc(ReactionCalls reactions, LikeLists lists) {
        this.reactions = reactions;
        this.lists = lists;
    }

    /** The members of the answer, in order. */
    Map<String, Object> answer(PccRequest request) {
        var key = new EntityKey(NAMESPACE, request.object().toString());
        var answer = new LinkedHashMap<String, Object>();
        answer.put("oid", request.object());
        switch (request.action()) {
            case LIKE -> like(key, user(request), answer);
            case IS_LIKE -> {
                BigInteger user = user(request);
                answer.put("uid", user);
                answer.put("is_like", reactions.has(key, user.toString(), LIKE) ? 1 : 0);
            }
            case COUNT -> answer.put("count", reactions.count(key, LIKE));
            case LIST -> list(key, request, answer);
        }
        return answer;
    }

    /** A committed like is acknowledged even if the list of likes cannot be read. */
    private void like(EntityKey key, BigInteger user, Map<String, Object> answer) {
        reactions.add(key, user.toString(), LIKE);
        answer.put("uid", user);
        try {
            answer.put("like_list", likes(lists.first(key, user.toString(), LIKES_SHOWN)));
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("Like committed, but the list of likes cannot be read", e);
        }
    }

    private void list(EntityKey key, PccRequest request, Map<String, Object> answer) {
        BigInteger viewer = request.user();
        LikeListPart part =
                lists.read(
                        key,
                        viewer == null ? null : viewer.toString(),
                        request.onlyFriends(),
                        request.cursor(),
                        request.pageSize());
        answer.put("like_list", likes(part.users()));
        answer.put("next_cursor", new BigInteger(Long.toUnsignedString(part.next())));
    }

    private static BigInteger user(PccRequest request) {
        return Objects.requireNonNull(request.user());
    }

    /** Each an object with one member, as the contest has it. */
    private static List<Map<String, String>> likes(List<Liker> users) {
        return users.stream()
                .map(each -> Map.of(each.id(), Objects.requireNonNullElse(each.name(), "")))
                .toList();
    }
}
