package dev.ovation.outbox.batch;

import static dev.ovation.outbox.batch.TestEvent.OTHER;
import static dev.ovation.outbox.batch.TestEvent.POST;
import static dev.ovation.outbox.batch.TestEvent.event;
import static dev.ovation.outbox.batch.TestEvent.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.EntityTable.EntityStep;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.CounterTimes;
import dev.ovation.store.ReactionTables.UserReaction;

import org.junit.jupiter.api.Test;

import java.util.Map;

class EventValidationTest {

    private final TestEvent first = event(1, "a").add("👍");
    private final TestEvent second = event(2, "b").on(first).by("ben").add("👍");
    private final TestEvent third = event(3, "c").on(second).by("cat").add("🔥");
    private final TestEvent elsewhere = event(4, "d").on(OTHER, EntityHead.NONE).add("👍");

    private Map<EntityKey, EntityHead> heads = Map.of();
    private Map<String, String> refused = Map.of();

    @Test
    void aChainOnTheCommittedStateIsAccepted() {
        assertThat(judge(first, second, third).accepted()).isEqualTo(events(first, second, third));
        assertThat(judge(first, second, third).rejected()).isEmpty();
    }

    @Test
    void aChainContinuesTheCommittedHead() {
        heads = Map.of(POST, first.head());
        assertThat(judge(second, third).accepted()).isEqualTo(events(second, third));
    }

    @Test
    void theSameVersionWithAnotherOpIsAConflict() {
        heads = Map.of(POST, new EntityHead(1, "another"));
        assertThat(judge(second).rejected()).isEqualTo(Map.of("b", "conflict"));
    }

    @Test
    void theSameOpWithAnotherVersionIsAConflict() {
        heads = Map.of(POST, new EntityHead(2, "a"));
        assertThat(judge(second).rejected()).isEqualTo(Map.of("b", "conflict"));
    }

    @Test
    void aFirstChangeOfAnEntityThatHasAStateIsAConflict() {
        heads = Map.of(POST, new EntityHead(1, "another"));
        assertThat(judge(first).rejected()).isEqualTo(Map.of("a", "conflict"));
    }

    @Test
    void aRefusedEventRejectsItsDependentsAndNoOthers() {
        refused = Map.of("a", "poison");
        var validation = judge(first, second, elsewhere, third);
        assertThat(validation.accepted()).isEqualTo(events(elsewhere));
        assertThat(validation.rejected())
                .isEqualTo(Map.of("a", "poison", "b", "conflict", "c", "conflict"));
    }

    @Test
    void anEventProposedAnewAfterARejectionIsAccepted() {
        refused = Map.of("a", "poison");
        var anew = event(5, "e").add("👍");
        assertThat(judge(first, second, anew).accepted()).isEqualTo(events(anew));
    }

    @Test
    void anEventThatChangesNothingMovesTheHeadAllTheSame() {
        var nothing = event(2, "b").on(first).with("v", "1").keyed("k");
        var next = event(3, "c").on(nothing).add("🔥");
        assertThat(judge(first, nothing, next).accepted()).isEqualTo(events(first, nothing, next));
        assertThat(judge(first, nothing).steps(_ -> 7))
                .containsExactly(
                        new EntityStep(7, POST, EntityHead.NONE, new EntityHead(1, "b"), 1002));
    }

    @Test
    void eachEntityTakesOneStepFromItsBaseToItsLast() {
        assertThat(judge(elsewhere, first, second, third).steps(_ -> 7))
                .containsExactly(
                        new EntityStep(7, POST, EntityHead.NONE, third.head(), 1003),
                        new EntityStep(7, OTHER, EntityHead.NONE, elsewhere.head(), 1004));
    }

    @Test
    void aReactionAddedAndRemovedInOneBatchIsOnlyRemoved() {
        var back = event(2, "b").on(first).remove("👍");
        var effects = judge(first, back).effects();
        assertThat(effects.added()).isEmpty();
        assertThat(effects.removed()).containsOnlyKeys(row("ann", "👍"));
    }

    @Test
    void aReactionRemovedAndAddedInOneBatchHasBothEffects() {
        var gone = event(1, "a").remove("👍");
        var again = event(2, "b").on(gone).add("👍");
        var effects = judge(gone, again).effects();
        assertThat(effects.removed()).containsOnlyKeys(row("ann", "👍"));
        assertThat(effects.added()).isEqualTo(Map.of(row("ann", "👍"), 1002L));
    }

    @Test
    void aForcedChangeIsBothOfItsSides() {
        var forced = event(2, "b").on(first).remove("👍").add("👎");
        var effects = judge(first, forced).effects();
        assertThat(effects.removed()).containsOnlyKeys(row("ann", "👍"));
        assertThat(effects.added()).isEqualTo(Map.of(row("ann", "👎"), 1002L));
    }

    @Test
    void countersKeepTheTimesOfTheirLastEvent() {
        var again = event(2, "b").on(first).by("ben").add("👍");
        assertThat(judge(first, again).effects().touched())
                .isEqualTo(Map.of(new CounterKey(POST, "👍"), new CounterTimes(1002, 0)));
    }

    @Test
    void rejectedEventsHaveNoEffect() {
        refused = Map.of("b", "poison");
        var effects = judge(first, second, third).effects();
        assertThat(effects.added()).containsOnlyKeys(row("ann", "👍"));
        assertThat(effects.touched()).containsOnlyKeys(new CounterKey(POST, "👍"));
    }

    private EventValidation judge(TestEvent... events) {
        return EventValidation.of(events(events), heads, refused);
    }

    private static UserReaction row(String user, String reaction) {
        return new UserReaction(POST, user, reaction);
    }
}
