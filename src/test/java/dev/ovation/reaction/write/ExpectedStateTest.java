package dev.ovation.reaction.write;

import static dev.ovation.reaction.write.RuleCheckFixture.checkWithState;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Proposal.Basis;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.ReactionCount;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

class ExpectedStateTest {

    private static final Basis SEEN = Basis.of(11, "op");

    private final RuleCheck check = checkWithState(3);
    private final EntityView known = view(2);
    private final ExpectedState expected =
            new ExpectedState(new IfMatch(false, Set.of(IfMatch.tag(known)), null));

    @Test
    void withoutAConditionAnyStateIsFine() {
        assertThat(new ExpectedState(IfMatch.ANY).basis(check)).isEqualTo(Basis.ANY);
    }

    @Test
    void theFirstProposalAsksForTheState() {
        assertThat(expected.basis(check)).isEqualTo(Basis.NONE);
    }

    @Test
    void theNextProposalIsJudgedOnTheStateThatTheClientHas() {
        assertThat(expected.holds(known, SEEN, check)).isTrue();
        assertThat(expected.basis(check)).isEqualTo(SEEN);
    }

    @Test
    void aStateThatTheClientLacksIsNoBase() {
        assertThat(expected.holds(view(3), SEEN, check)).isFalse();
        assertThat(expected.basis(check)).isEqualTo(Basis.NONE);
    }

    @Test
    void underOtherRulesTheStateIsComparedAgain() {
        expected.holds(known, SEEN, check);

        assertThat(expected.basis(checkWithState(4))).isEqualTo(Basis.NONE);

        expected.holds(known, SEEN, checkWithState(4));
        assertThat(expected.basis(checkWithState(4))).isEqualTo(SEEN);
    }

    @Test
    void aNewerStateWithTheSameContentIsTheNewBase() {
        expected.holds(known, SEEN, check);
        expected.holds(known, Basis.of(13, "newer"), check);

        assertThat(expected.basis(check)).isEqualTo(Basis.of(13, "newer"));
    }

    private static EntityView view(long count) {
        var counts = List.of(new ReactionCount("👍", count, 5, 6, false, null));
        return new EntityView("1", "1.7", counts, "ann", List.of(), 0);
    }
}
