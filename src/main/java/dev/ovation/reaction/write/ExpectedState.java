package dev.ovation.reaction.write;

import dev.ovation.hot.state.Proposal.Basis;
import dev.ovation.reaction.view.EntityView;

/**
 * The only state on which a conditional write may be judged. The base is unknown at first: so the
 * first proposal names none, and Redis replies with the current state. When the client has that
 * state, the next proposal names it as its base.
 */
final class ExpectedState {

    private final IfMatch wish;
    private Basis seen = Basis.NONE;
    private long rules;

    ExpectedState(IfMatch wish) {
        this.wish = wish;
    }

    /**
     * Returns the base of a proposal; a state that was compared under other rules may give another
     * view now.
     */
    Basis basis(RuleCheck check) {
        if (wish.isUnconditional()) {
            return Basis.ANY;
        }
        return rules == check.rules().version() ? seen : Basis.NONE;
    }

    /**
     * Compares the current state with the condition.
     *
     * @return whether the client has the state
     */
    boolean holds(EntityView view, Basis basis, RuleCheck check) {
        if (!wish.holds(view)) {
            return false;
        }
        seen = basis;
        rules = check.rules().version();
        return true;
    }
}
