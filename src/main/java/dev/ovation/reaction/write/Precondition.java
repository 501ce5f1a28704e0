package dev.ovation.reaction.write;

import dev.ovation.hot.Proposal.Basis;
import dev.ovation.reaction.view.EntityView;

/**
 * The state on which alone a write may be judged. Which one that is shows when it is seen: so the
 * first proposal is for none, and is answered by the state that is there; when the client has that,
 * the next one is for this very state.
 */
final class Precondition {

    private final IfMatch wish;
    private Basis seen = Basis.NONE;
    private long rules;

    Precondition(IfMatch wish) {
        this.wish = wish;
    }

    /** What a proposal may be judged on; what was seen by other rules may look otherwise now. */
    Basis basis(Ruling ruling) {
        if (wish.any()) {
            return Basis.ANY;
        }
        return rules == ruling.rules().version() ? seen : Basis.NONE;
    }

    /**
     * Takes in which state is there.
     *
     * @return whether the client has it
     */
    boolean holds(EntityView view, Basis basis, Ruling ruling) {
        if (!wish.holds(view)) {
            return false;
        }
        seen = basis;
        rules = ruling.rules().version();
        return true;
    }
}
