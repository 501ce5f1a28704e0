package dev.ovation.hot;

import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One change that somebody wants, in one step, with the decisions of the rules as data.
 *
 * @param op id of this attempt, unique
 * @param now the instance's clock, in microseconds since 1970
 * @param key the entity
 * @param user who reacts
 * @param kind what is to be done
 * @param reactions keys of the reactions, each once, in the order in which they are to be listed:
 *     one to add or remove, or all that the user is to have
 * @param rules what the rules say; {@link Rules#NONE} for a removal
 * @param force whether to remove the user's reactions that exclude it
 * @param existingIsFine whether adding what is there changes nothing, instead of being refused
 * @param idempotency the key that the request came with
 * @param basis on which states it may be judged
 * @param withState whether the answer must hold counters and the user's reactions
 */
public record Proposal(
        String op,
        long now,
        EntityKey key,
        String user,
        Kind kind,
        List<String> reactions,
        Rules rules,
        boolean force,
        boolean existingIsFine,
        @Nullable Idempotency idempotency,
        Basis basis,
        boolean withState) {

    /** What is to be done. */
    public enum Kind {
        ADD,
        REMOVE,
        /** What is not wanted goes, what is missing comes; the rules see what that leaves. */
        PUT
    }

    /**
     * What the rules decided beforehand.
     *
     * @param configVersion version of the configuration that these stem from; 0: judged by none
     * @param groups keys that exclude each other, as far as wanted ones are among them
     * @param limit max_uniq_reactions
     * @param live keys of the namespace's set
     */
    public record Rules(
            long configVersion, List<List<String>> groups, int limit, List<String> live) {
        public static final Rules NONE = new Rules(0, List.of(), 0, List.of());
    }

    /**
     * Which states a proposal may be judged on; on any other it is answered by that state, and
     * nothing is done.
     *
     * @param state version and op of the only one, joined; empty for whichever it is
     * @param after seq of an event that the state must include; 0 for none
     */
    public record Basis(String state, long after) {

        /** Whichever it is. */
        public static final Basis ANY = new Basis("", 0);

        /** None: who proposes wants to see the state first. */
        public static final Basis NONE = new Basis("none", 0);

        /** One state alone. */
        public static Basis of(long version, String op) {
            return new Basis(RedisSchema.join(List.of(Long.toString(version), op)), 0);
        }

        /** Whichever includes this event, unless it is 0. */
        public static Basis after(long seq) {
            return new Basis("", seq);
        }
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
