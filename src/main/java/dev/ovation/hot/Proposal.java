package dev.ovation.hot;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One change that somebody wants, with the decisions of the rules as data.
 *
 * @param op id of this attempt, unique
 * @param now the instance's clock, in microseconds since 1970
 * @param key the entity
 * @param user who reacts
 * @param add whether the reaction is to be added; else it is removed
 * @param reaction key of the reaction
 * @param rules what the rules say; {@link Rules#NONE} for a removal
 * @param force whether to remove the user's reactions that exclude it
 * @param existingIsFine whether adding what is there changes nothing, instead of being refused
 * @param idempotency the key that the request came with
 * @param withState whether the answer must hold counters and the user's reactions
 */
public record Proposal(
        String op,
        long now,
        EntityKey key,
        String user,
        boolean add,
        String reaction,
        Rules rules,
        boolean force,
        boolean existingIsFine,
        @Nullable Idempotency idempotency,
        boolean withState) {

    /**
     * What the rules decided beforehand.
     *
     * @param configVersion version of the configuration that these stem from; 0: judged by none
     * @param excluded keys of the reactions that exclude the wanted one
     * @param limit max_uniq_reactions
     * @param live keys of the namespace's set
     */
    public record Rules(long configVersion, List<String> excluded, int limit, List<String> live) {
        public static final Rules NONE = new Rules(0, List.of(), 0, List.of());
    }

    /**
     * The idempotency key of a request.
     *
     * @param key what the client sent
     * @param requestHash hash of what makes the request
     * @param request id of the request, the same for all its attempts
     */
    public record Idempotency(String key, String requestHash, String request) {}
}
