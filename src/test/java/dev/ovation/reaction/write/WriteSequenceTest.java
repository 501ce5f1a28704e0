package dev.ovation.reaction.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.state.Fence;
import dev.ovation.reaction.write.ProposalResult.DependsOn;
import dev.ovation.reaction.write.ProposalResult.Replied;
import dev.ovation.reaction.write.ProposalResult.StoredAnswer;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.reaction.write.WriteOutcome.Problematic;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** The order in which a sequence proposes and settles writes with given replies and verdicts. */
class WriteSequenceTest {

    private static final Fence FENCE = new Fence(7, "id");
    private static final Completed DONE =
            new Completed(true, List.of(), List.of(), List.of(), null);

    private final WriteSequence sequence = new WriteSequence();
    private final List<String> steps = new ArrayList<>();

    private final Scripted a = new Scripted("a");
    private final Scripted b = new Scripted("b");
    private final Scripted c = new Scripted("c");

    @Test
    void allAreProposedUponEachOtherBeforeACommitIsAwaited() {
        run(a.event(4).committed(), b.event(5).committed(), c.event(6).committed());

        assertThat(steps)
                .containsExactly("a", "b after 4", "c after 5", "settle a", "settle b", "settle c");
    }

    @Test
    void anAnswerWithoutAnEventIsPassedOver() {
        run(a.event(4).committed(), b.stored().committed(), c.event(6).committed());

        assertThat(steps).startsWith("a", "b after 4", "c after 4");
    }

    @Test
    void afterALostStateNoneIsProposedUntilTheOutcomesAreKnown() {
        run(a.event(4).committed(), b.lost().event(5).committed(), c.event(6).committed());

        assertThat(steps)
                .containsExactly(
                        "a",
                        "b after 4",
                        "settle a",
                        "wait 0 of b",
                        "b again after committed 4",
                        "c after 5",
                        "settle b",
                        "settle c");
    }

    @Test
    void aLostWriteIsProposedUntilRedisHasTheAcknowledgement() {
        run(a.event(4).committed(), b.lost().lost().lost().event(5).committed());

        assertThat(steps)
                .containsExactly(
                        "a",
                        "b after 4",
                        "settle a",
                        "wait 0 of b",
                        "b again after committed 4",
                        "wait 1 of b",
                        "b again after committed 4",
                        "wait 2 of b",
                        "b again after committed 4",
                        "settle b");
    }

    @Test
    void aStoredAnswerIsSoughtOnceAndAfterEachRejection() {
        run(
                a.event(4).committed(),
                b.lost().lost().event(5).rejected().lost().event(6).committed());

        assertThat(steps).filteredOn("b after 4"::equals).hasSize(1);
        assertThat(steps).filteredOn("b after committed 4"::equals).hasSize(1);
        assertThat(steps).filteredOn("b again after committed 4"::equals).hasSize(3);
    }

    @Test
    void theWaitsBeginAnewAfterEachProposal() {
        run(
                a.event(4).committed(),
                b.lost().lost().event(5).committed(),
                c.lost().lost().event(6).committed());

        assertThat(steps)
                .filteredOn(step -> step.startsWith("wait"))
                .containsExactly("wait 0 of b", "wait 1 of b", "wait 0 of c", "wait 1 of c");
    }

    @Test
    void rejectedWritesAreProposedAgainInTheirOrder() {
        run(a.event(4).rejected().event(6).committed(), b.event(5).rejected().event(7).committed());

        assertThat(steps)
                .containsExactly(
                        "a",
                        "b after 4",
                        "settle a",
                        "settle b",
                        "pause b",
                        "a",
                        "b after 6",
                        "settle a",
                        "settle b");
    }

    @Test
    void aRejectedWriteIsProposedUponTheCommittedOnesBeforeIt() {
        run(a.event(4).committed(), b.event(5).rejected().event(6).committed());

        assertThat(steps)
                .containsExactly(
                        "a",
                        "b after 4",
                        "settle a",
                        "settle b",
                        "pause b",
                        "b after committed 4",
                        "settle b");
    }

    @Test
    void aRejectedWriteGoesBeforeOneThatLostItsState() {
        run(
                a.event(4).rejected().event(5).committed(),
                b.lost().event(6).committed(),
                c.event(7).committed());

        assertThat(steps)
                .containsExactly(
                        "a",
                        "b after 4",
                        "settle a",
                        "pause a",
                        "a",
                        "b again after 5",
                        "c after 6",
                        "settle a",
                        "settle b",
                        "settle c");
    }

    @Test
    void aProblemOfOneLeavesTheOthersAlone() {
        var refused = new ProblemException(ProblemCode.UNKNOWN_REACTION, "unheard");
        var late = new ProblemException(ProblemCode.OUTCOME_UNKNOWN, "late");

        var outcomes = run(a.failed(refused), b.event(4).failedLater(late), c.event(5).committed());

        assertThat(outcomes).containsExactly(problem(refused), problem(late), DONE);
        assertThat(steps).containsExactly("a", "b", "c after 4", "settle b", "settle c");
    }

    @Test
    void anUnexpectedFailureOfOneIsItsProblemAlone() {
        var bug = new IllegalStateException("a bug");

        var outcomes = run(a.failed(bug), b.event(4).failedLater(bug), c.event(5).committed());

        assertThat(outcomes.subList(0, 2))
                .extracting(outcome -> ((Problematic) outcome).problem().code())
                .containsOnly(ProblemCode.INTERNAL);
        assertThat(outcomes.getLast()).isEqualTo(DONE);
    }

    private List<WriteOutcome> run(Scripted... writes) {
        var sequenced = new ArrayList<WriteSequence.SequencedWrite>();
        for (Scripted write : writes) {
            sequenced.add(sequence.then(write));
        }
        sequence.run();
        for (Scripted write : writes) {
            assertThat(write.replies).as(write.name).isEmpty();
            assertThat(write.verdicts).as(write.name).isEmpty();
        }
        return sequenced.stream().map(WriteSequence.SequencedWrite::outcome).toList();
    }

    private static WriteOutcome problem(ProblemException problem) {
        return new Problematic(problem);
    }

    /** A write with its replies and verdicts, in the order in which they come. */
    private final class Scripted implements WriteSequence.Write {

        private final String name;
        private final Deque<Supplier<ProposalResult>> replies = new ArrayDeque<>();
        private final Deque<Supplier<Completed>> verdicts = new ArrayDeque<>();

        Scripted(String name) {
            this.name = name;
        }

        /** The reply is a change, which is this event. */
        Scripted event(long seq) {
            var accepted =
                    new Accepted(true, seq, 1, List.of(), List.of(), List.of(), List.of(), "");
            replies.add(() -> new Replied(accepted, FENCE, null, 0));
            return this;
        }

        Scripted stored() {
            replies.add(() -> new StoredAnswer(DONE));
            return this;
        }

        /** The state does not include the event before. */
        Scripted lost() {
            replies.add(() -> null);
            return this;
        }

        Scripted failed(RuntimeException failure) {
            replies.add(
                    () -> {
                        throw failure;
                    });
            return this;
        }

        Scripted committed() {
            verdicts.add(() -> DONE);
            return this;
        }

        Scripted rejected() {
            verdicts.add(() -> null);
            return this;
        }

        Scripted failedLater(RuntimeException failure) {
            verdicts.add(
                    () -> {
                        throw failure;
                    });
            return this;
        }

        @Override
        public ProposalResult propose(DependsOn before) {
            return reply(name, before);
        }

        @Override
        public ProposalResult proposeAgain(DependsOn before) {
            return reply(name + " again", before);
        }

        private ProposalResult reply(String step, DependsOn before) {
            String base =
                    before == null ? "" : (before.committed() ? " after committed " : " after ");
            steps.add(step + base + (before == null ? "" : before.seq()));
            return replies.remove().get();
        }

        @Override
        public Completed settle(ProposalResult proposed) {
            steps.add("settle " + name);
            return verdicts.remove().get();
        }

        @Override
        public void pause() {
            steps.add("pause " + name);
        }

        @Override
        public void awaitAcknowledgement(int failed) {
            steps.add("wait " + failed + " of " + name);
        }
    }
}
