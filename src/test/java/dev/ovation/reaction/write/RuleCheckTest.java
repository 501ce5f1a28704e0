package dev.ovation.reaction.write;

import static dev.ovation.entity.ChangeKind.ADD;
import static dev.ovation.entity.ChangeKind.PUT;
import static dev.ovation.entity.ChangeKind.REMOVE;
import static dev.ovation.reaction.write.RuleCheckFixture.DISLIKE;
import static dev.ovation.reaction.write.RuleCheckFixture.HEART;
import static dev.ovation.reaction.write.RuleCheckFixture.LIKE;
import static dev.ovation.reaction.write.RuleCheckFixture.LIMIT;
import static dev.ovation.reaction.write.RuleCheckFixture.PLANE;
import static dev.ovation.reaction.write.RuleCheckFixture.SPELLED_HEART;
import static dev.ovation.reaction.write.RuleCheckFixture.SPELLED_PLANE;
import static dev.ovation.reaction.write.RuleCheckFixture.check;
import static dev.ovation.reaction.write.RuleCheckFixture.checkWithState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import dev.ovation.entity.Counter;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.script.ReactScript.Reason;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Other;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.state.Proposal.RuleData;
import dev.ovation.reaction.view.ReactionCount;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Map;

class RuleCheckTest {

    private static final List<String> SET = List.of(LIKE, DISLIKE, HEART);
    private static final long EPOCH = 7;

    @Test
    void aRemovalNeedsNoRulesButTheirVersion() {
        for (RuleCheck check : List.of(check(REMOVE, "unheard"), check("none", REMOVE, LIKE))) {
            assertThat(check.isDecided()).isTrue();
            assertThat(check.data()).isEqualTo(new RuleData(3, List.of(), 0, List.of()));
        }
    }

    @Test
    void aPutOfNothingNeedsNoRulesButTheirVersion() {
        assertThat(check("none", PUT).isDecided()).isTrue();
        assertThat(check("none", PUT).data()).isEqualTo(new RuleData(3, List.of(), 0, List.of()));
    }

    @Test
    void anAdditionIsSentWithTheReactionsThatExcludeIt() {
        RuleData data = check(ADD, DISLIKE).data();

        assertThat(data.groups()).hasSize(1);
        assertThat(data.groups().getFirst()).containsExactlyInAnyOrder(LIKE, DISLIKE, HEART);
        assertThat(check(ADD, LIKE).data())
                .isEqualTo(new RuleData(3, List.of(List.of(LIKE, DISLIKE)), LIMIT, SET));
    }

    @Test
    void aReactionIsKnownInAnySpelling() {
        RuleCheck check = check(ADD, SPELLED_HEART);

        assertThat(check.isDecided()).isTrue();
        assertThat(check.keys()).containsExactly(HEART);
        assertThat(check.data().groups()).containsExactly(List.of(HEART, DISLIKE));
    }

    @Test
    void anAdditionOutsideTheSetAwaitsNewerRulesAndIsUnknownToTheseOnes() {
        for (String reaction : List.of("outside", "unheard")) {
            RuleCheck check = check(ADD, reaction);
            assertThat(check.isDecided()).isFalse();
            assertThat(problem(check))
                    .extracting(ProblemException::code)
                    .isEqualTo(ProblemCode.UNKNOWN_REACTION);
        }
    }

    @Test
    void anAdditionToAnUnknownNamespaceIsRefused() {
        assertThat(check("none", ADD, LIKE).isDecided()).isFalse();
        assertThat(problem(check("none", ADD, LIKE)))
                .extracting(ProblemException::code)
                .isEqualTo(ProblemCode.UNKNOWN_NAMESPACE_ON_WRITE);
    }

    @Test
    void anAdditionOutOfSeasonOrAudienceAwaitsNewerRulesAndIsRefusedByTheseOnes() {
        for (String reaction : List.of("soon", "gone", "beer")) {
            RuleCheck check = check("seasons", ADD, reaction);
            assertThat(check.isDecided()).isFalse();
            assertThat(problem(check))
                    .extracting(ProblemException::code)
                    .isEqualTo(ProblemCode.REACTION_NOT_AVAILABLE);
        }
        assertThat(problem(check(17, ADD, "beer")))
                .hasMessageEndingWith("reaction `beer` is not available to this audience");
        assertThat(check(18, ADD, "beer").isDecided()).isTrue();
    }

    @Test
    void anAdditionIsSentWithTheEndOfItsSeason() {
        assertThat(check("seasons", ADD, "xmas").data().seasonEnds())
                .containsExactly(
                        entry("xmas", Instant.parse("2026-12-24T18:00:00Z").toEpochMilli()));
        assertThat(check("seasons", ADD, LIKE).data().seasonEnds()).isEmpty();
    }

    @Test
    void aPutOfWhatIsNotAvailableIsLeftToTheScript() {
        assertThat(check("seasons", PUT, LIKE, "gone", "beer").data().seasonEnds())
                .containsOnly(entry("gone", 0L), entry("beer", 0L));
    }

    @Test
    void aRemovalIgnoresSeasonAndAudience() {
        assertThat(check("seasons", REMOVE, "gone").data().seasonEnds()).isEmpty();
    }

    @Test
    void attributesDistinguishTheRequestOfAKey() {
        var key = IdempotencyKey.of("key", "request");
        var adult = key.with("age 18");

        assertThat(adult.value()).isEqualTo("key");
        assertThat(adult).isNotEqualTo(key).isEqualTo(key.with("age 18"));
        assertThat(adult).isNotEqualTo(key.with("age 19"));
    }

    @Test
    void aPutIsSentWithTheGroupsOfItsReactionsAsTheyAre() {
        assertThat(check(PUT, HEART).data())
                .isEqualTo(new RuleData(3, List.of(List.of(DISLIKE, HEART)), LIMIT, SET));
        assertThat(check(PUT, DISLIKE).data().groups())
                .containsExactly(List.of(LIKE, DISLIKE), List.of(DISLIKE, HEART));
    }

    @Test
    void aPutOfUnknownReactionsIsLeftToTheScript() {
        assertThat(check(PUT, "unheard").isDecided()).isTrue();
        assertThat(check(PUT, "unheard").data()).isEqualTo(new RuleData(3, List.of(), LIMIT, SET));
    }

    @Test
    void aPutInAnUnknownNamespaceAwaitsNewerRulesAndMayAddNothingByTheseOnes() {
        assertThat(check("none", PUT, LIKE).isDecided()).isFalse();
        assertThat(check("none", PUT, LIKE).data())
                .isEqualTo(new RuleData(3, List.of(), 0, List.of()));
    }

    @Test
    void refusalsNameReactionsAsTheyAreConfigured() {
        assertThat(check(ADD, HEART).refusal(new Refused(Reason.EXISTS, 0)).detail())
                .contains(SPELLED_HEART)
                .contains("ann");
        assertThat(check(PUT, PLANE).refusal(refused(Reason.UNKNOWN, PLANE)).detail())
                .contains(SPELLED_PLANE);
        assertThat(check(PUT, LIKE).refusal(refused(Reason.CONFLICT, HEART, LIKE, HEART)))
                .satisfies(problem -> assertThat(problem.detail()).contains(SPELLED_HEART))
                .extracting(ProblemException::members)
                .isEqualTo(Map.of("conflicting", List.of(LIKE, SPELLED_HEART)));
    }

    @Test
    void eachReasonHasItsOwnCode() {
        assertThat(codeOf(Reason.EXISTS)).isEqualTo(ProblemCode.REACTION_ALREADY_EXISTS);
        assertThat(codeOf(Reason.UNKNOWN)).isEqualTo(ProblemCode.UNKNOWN_REACTION);
        assertThat(codeOf(Reason.CONFLICT)).isEqualTo(ProblemCode.CONFLICTING_REACTION);
        assertThat(codeOf(Reason.LIMIT)).isEqualTo(ProblemCode.MAX_UNIQ_REACTIONS);
    }

    @Test
    void aRefusalByTheLimitNamesIt() {
        var full = new Refused(Reason.LIMIT, 0);

        assertThat(check(ADD, LIKE).refusal(full).members()).isEqualTo(Map.of("limit", LIMIT));
        assertThat(check("none", PUT, LIKE).refusal(full).members()).isEqualTo(Map.of("limit", 0));
    }

    @Test
    void aResultNamesReactionsAsTheyAreConfigured() {
        var accepted = accepted(true, List.of(HEART), List.of(PLANE), List.of(LIKE, HEART));

        assertThat(check(ADD, HEART).result(EPOCH, accepted))
                .isEqualTo(
                        new WriteOutcome.Completed(
                                true,
                                List.of(SPELLED_HEART),
                                List.of(SPELLED_PLANE),
                                List.of(LIKE, SPELLED_HEART),
                                null));
    }

    @Test
    void aResultHasTheStateIfItIsWanted() {
        var accepted = accepted(true, List.of(LIKE), List.of(), List.of(LIKE));
        var state = checkWithState(3).result(EPOCH, accepted).entity();

        assertThat(state.entity()).isEqualTo("1");
        assertThat(state.counts()).containsExactly(new ReactionCount(LIKE, 2, 5, 6, false, null));
        assertThat(state.userReactions()).containsExactly(LIKE);
    }

    @Test
    void aStoredAnswerGivesTheResultOfItsFirstExecution() {
        var accepted = accepted(true, List.of(LIKE), List.of(HEART), List.of(LIKE));
        assertSameAgain(accepted, null);
        assertSameAgain(
                new Accepted(
                        true,
                        4,
                        11,
                        accepted.added(),
                        accepted.removed(),
                        accepted.counters(),
                        accepted.own(),
                        "",
                        true),
                true);
    }

    private static void assertSameAgain(Accepted accepted, Boolean locked) {
        var first = checkWithState(3).result(EPOCH, accepted);
        var stored =
                new WriteAnswer(
                        EPOCH,
                        accepted.version(),
                        accepted.added(),
                        accepted.removed(),
                        accepted.counters(),
                        accepted.own(),
                        locked);
        var again = checkWithState(3).result(stored);

        assertThat(again).usingRecursiveComparison().ignoringFields("state").isEqualTo(first);
        assertThat(again.entity().version()).isEqualTo(first.entity().version());
    }

    @Test
    void aStoredAnswerWithoutAChangeWasNotApplied() {
        assertThat(stored(List.of(), List.of()).applied()).isFalse();
        assertThat(stored(List.of(LIKE), List.of()).applied()).isTrue();
        assertThat(stored(List.of(), List.of(LIKE)).applied()).isTrue();
    }

    @Test
    void theCurrentStateIsThatOfAResultOfTheSameState() {
        var own = List.of(LIKE);
        var result = accepted(false, List.of(), List.of(), own);
        var other = new Other(9, result.version(), "op", result.counters(), own);

        assertThat(checkWithState(3).seen(EPOCH, other).version())
                .isEqualTo(checkWithState(3).result(EPOCH, result).entity().version());
    }

    private static Accepted accepted(
            boolean changed, List<String> added, List<String> removed, List<String> own) {
        return new Accepted(
                changed, 4, 11, added, removed, List.of(new Counter(LIKE, 2, 5, 6)), own, "");
    }

    private static WriteOutcome.Completed stored(List<String> added, List<String> removed) {
        return check(ADD, LIKE)
                .result(new WriteAnswer(EPOCH, 11, added, removed, List.of(), List.of(), null));
    }

    private static Refused refused(Reason reason, String reaction, String... conflicting) {
        return new Refused(reason, 0, reaction, List.of(conflicting));
    }

    private static ProblemCode codeOf(Reason reason) {
        return check(ADD, LIKE).refusal(refused(reason, LIKE, DISLIKE)).code();
    }

    private static ProblemException problem(RuleCheck check) {
        return catchThrowableOfType(ProblemException.class, check::data);
    }
}
