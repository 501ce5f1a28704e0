package dev.ovation.hot.state;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * One change in one step, with the decisions of the rules as data.
 *
 * @param op id of this attempt, unique
 * @param now the instance's clock, in microseconds since 1970
 * @param key the entity
 * @param user the reactor
 * @param kind the operation
 * @param reactions keys of the reactions, each once, in the order in which they are listed: one to
 *     add or remove, or the complete list for {@link ChangeKind#PUT}
 * @param rules decisions of the rules; {@link RuleData#NONE} for a removal
 * @param force whether to remove the user's reactions that exclude the addition
 * @param existingIsFine whether the addition of an existing reaction changes nothing, instead of
 *     being refused
 * @param idempotency the key that the request came with
 * @param basis states on which the proposal may be judged
 * @param withState whether the answer must hold counters and the user's reactions
 * @param attributes what constraints read of the request, in the form of {@code constraints.lua};
 *     empty for none
 * @param trace {@code traceparent} of a sampled request, see {@link Event#TRACE}; empty for others
 */
public record Proposal(
        String op,
        long now,
        EntityKey key,
        String user,
        ChangeKind kind,
        List<String> reactions,
        RuleData rules,
        boolean force,
        boolean existingIsFine,
        @Nullable Idempotency idempotency,
        Basis basis,
        boolean withState,
        String attributes,
        String trace) {

    /**
     * Decisions that the rules made beforehand.
     *
     * @param configVersion version of the configuration behind these decisions; 0 when no rules
     *     apply
     * @param groups keys that exclude each other, as far as the proposal's reactions are among them
     * @param limit max_uniq_reactions
     * @param live keys of the namespace's set; of an open set, and the proposal's keys that it
     *     takes
     * @param open whether the set is open, so that each kind takes a place
     * @param limitOfUser max_reactions_per_user; {@link #UNLIMITED} for none
     * @param constraints programs of the namespace's constraints, separated by U+001E; empty for
     *     none
     * @param timesOfUsers whether they need the time of the user's last reaction
     * @param seasonEnds times from which a reaction of the proposal cannot be added, by its key, in
     *     milliseconds since 1970
     */
    public record RuleData(
            long configVersion,
            List<List<String>> groups,
            int limit,
            List<String> live,
            boolean open,
            int limitOfUser,
            String constraints,
            boolean timesOfUsers,
            Map<String, Long> seasonEnds) {
        public static final int UNLIMITED = -1;
        public static final RuleData NONE = new RuleData(0, List.of(), 0, List.of());

        /** Returns the same without the ends of seasons, as proposals of a run share it. */
        public RuleData withoutSeasons() {
            return seasonEnds.isEmpty()
                    ? this
                    : new RuleData(
                            configVersion,
                            groups,
                            limit,
                            live,
                            open,
                            limitOfUser,
                            constraints,
                            timesOfUsers,
                            Map.of());
        }

        /** Rules of a closed set without a limit for users, constraints of its own and seasons. */
        public RuleData(
                long configVersion, List<List<String>> groups, int limit, List<String> live) {
            this(configVersion, groups, limit, live, false, UNLIMITED, "", false, Map.of());
        }
    }

    /**
     * States on which a proposal may be judged. On any other state the answer is that state, and
     * nothing changes.
     *
     * @param state version and op of the only such state, joined; empty for any state
     * @param after seq of an event that the state must include; 0 for none
     * @param committed whether that event is known to be committed
     */
    public record Basis(String state, long after, boolean committed) {

        /** Any state. */
        public static final Basis ANY = new Basis("", 0, false);

        /** No state: the answer is the present state. */
        public static final Basis NONE = new Basis("none", 0, false);

        /** Returns the basis of one state alone. */
        public static Basis of(long version, String op) {
            return new Basis(RedisSchema.join(List.of(Long.toString(version), op)), 0, false);
        }

        /** Returns the basis of all states that include this event; any state for 0. */
        public static Basis after(long seq) {
            return new Basis("", seq, false);
        }

        /**
         * Returns the basis of all states that include this committed event. These are also the
         * states that were installed after its acknowledgement.
         */
        public static Basis afterCommit(long seq) {
            return new Basis("", seq, true);
        }
    }

    /**
     * The idempotency key of a request.
     *
     * @param key the key from the client
     * @param requestHash hash of the content of the request
     * @param request id of the request, the same for all its attempts
     */
    public record Idempotency(String key, String requestHash, String request) {}
}
