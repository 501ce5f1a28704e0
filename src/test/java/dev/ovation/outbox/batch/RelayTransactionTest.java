package dev.ovation.outbox.batch;

import static dev.ovation.outbox.batch.RelayTransactionFixture.look;
import static dev.ovation.outbox.batch.TestEvent.OTHER;
import static dev.ovation.outbox.batch.TestEvent.POST;
import static dev.ovation.outbox.batch.TestEvent.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.OutboxSlice.ContinuityCheck;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.outbox.batch.RelayTransactionFixture.Way;
import dev.ovation.store.EntityTable.EntityHead;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataIntegrityViolationException;

import java.util.List;
import java.util.Map;

/** The relay's transaction on a real Postgres, by one call and by statements. */
@ParameterizedClass
@EnumSource
class RelayTransactionTest {

    private final RelayTransactionFixture postgres;

    private final TestEvent ann = event(1, "a").by("ann").add("👍");
    private final TestEvent ben = event(2, "b").on(ann).by("ben").add("👍");
    private final TestEvent cat = event(3, "c").on(ben).by("cat").add("🔥");

    RelayTransactionTest(Way way) {
        postgres = new RelayTransactionFixture(way);
    }

    @Test
    void eventsBecomeRowsCountsHeadsAndACursor() {
        PartitionResult result = postgres.apply(ann, ben, cat);

        assertThat(postgres.reactions()).containsExactly("1 ann 👍", "1 ben 👍", "1 cat 🔥");
        assertThat(postgres.counts()).containsExactly("1 👍 2", "1 🔥 1");
        assertThat(postgres.entities()).containsExactly("1 3 c");
        assertThat(postgres.cursors()).containsExactly("0 3 c");
        assertThat(result.to()).isEqualTo(3);
        assertThat(result.fresh()).isEqualTo(3);
        assertThat(result.rejected()).isEmpty();
    }

    @Test
    void appliedEventsAreNotAppliedAgain() {
        postgres.apply(ann, ben);
        PartitionResult result = postgres.apply(ann, ben);

        assertThat(postgres.counts()).containsExactly("1 👍 2");
        assertThat(result.fresh()).isZero();
        assertThat(result.to()).isEqualTo(2);
        assertThat(result.events()).as("to be acknowledged").hasSize(2);
    }

    @Test
    void aLongerSliceContinuesAtTheWatermark() {
        postgres.apply(ann);
        postgres.apply(ann, ben, cat);

        assertThat(postgres.entities()).containsExactly("1 3 c");
        assertThat(postgres.counts()).containsExactly("1 👍 2", "1 🔥 1");
    }

    @Test
    void aConflictIsPassedOverAndStored() {
        postgres.apply(ann, ben);
        var late = event(3, "late").on(ann).by("cat").add("🔥");
        PartitionResult result = postgres.apply(ann, ben, late);

        assertThat(postgres.entities()).containsExactly("1 2 b");
        assertThat(postgres.cursors()).containsExactly("0 3 late");
        assertThat(postgres.rejections()).containsExactly("0 7 3 late conflict");
        assertThat(result.rejected()).containsExactly(3L);
    }

    @Test
    void aPoisonEventRejectsItsDependentsAndNoOthers() {
        var other = event(4, "d").on(OTHER, EntityHead.NONE).add("👍");
        var looks =
                List.of(
                        look(0, ann, ben, cat, other),
                        look(1, event(1, "e").on(OTHER, EntityHead.NONE)));
        postgres.apply(looks, Map.of("b", "poison"));

        assertThat(postgres.reactions()).containsExactly("1 ann 👍", "2 ann 👍");
        assertThat(postgres.rejections())
                .containsExactly("0 7 2 b poison", "0 7 3 c conflict", "1 7 1 e conflict");
        assertThat(postgres.cursors()).containsExactlyInAnyOrder("0 4 d", "1 1 e");
    }

    @Test
    void aMalformedEventIsRejectedAndReturnedWithItsEntity() {
        var malformed = event(2, "b").on(ann).add("🔥").without("at");
        PartitionResult result = postgres.apply(ann, malformed);

        assertThat(postgres.rejections()).containsExactly("0 7 2 b malformed");
        assertThat(postgres.cursors()).containsExactly("0 2 b");
        assertThat(result.rejected()).containsExactly(2L);
        assertThat(result.events())
                .filteredOn(event -> event.seq() == 2)
                .extracting(Event::key)
                .containsExactly(POST);
    }

    @Test
    void anUnacknowledgedMalformedEventIsReturnedAgain() {
        var malformed = event(2, "b").on(ann).add("🔥").without("at");
        postgres.apply(ann, malformed);

        assertThat(postgres.apply(ann, malformed).events()).extracting(Event::seq).contains(2L);
    }

    @Test
    void anEventWithNothingInItIsPassedOverToo() {
        var empty = event(1, "a").without("op").without("n").without("e");
        assertThat(postgres.apply(empty, event(2, "b").add("👍")).rejected()).containsExactly(1L);
        assertThat(postgres.entities()).containsExactly("1 1 b");
    }

    @Test
    void anEventThatCannotBeStoredLeavesNothingBehind() {
        postgres.apply(ann);
        postgres.jdbc.update("delete from named_counter");
        var removal = event(2, "b").on(ann).remove("👍");

        assertThatThrownBy(() -> postgres.apply(ann, removal))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(postgres.reactions()).containsExactly("1 ann 👍");
        assertThat(postgres.entities()).containsExactly("1 1 a");
        assertThat(postgres.cursors()).containsExactly("0 1 a");
    }

    @Test
    void aCountMovesByTheRowsThatReallyMoved() {
        postgres.apply(ann, ben);
        var again = event(3, "again").on(POST, new EntityHead(7, "other")).by("ann").add("👍");
        postgres.jdbc.update("update entity set version = 7, last_op = 'other'");
        postgres.apply(ann, ben, again);
        postgres.apply(again, event(4, "gone").on(again).by("nobody").remove("👍"));

        assertThat(postgres.entities()).containsExactly("1 9 gone");
        assertThat(postgres.counts()).containsExactly("1 👍 2");
    }

    @Test
    void aCounterEndsWithItsLastReaction() {
        postgres.apply(ann, event(2, "b").on(ann).remove("👍").add("👎"));
        assertThat(postgres.counts()).containsExactly("1 👎 1");
    }

    @Test
    void theFirstOfTwoEventsWithOneKeyIsAppliedAndTheOtherIsADuplicate() {
        var first = ann.keyed("k");
        var second = event(2, "b").on(first).by("ann").add("🔥").keyed("k");
        PartitionResult result = postgres.apply(first, second);

        assertThat(postgres.reactions()).containsExactly("1 ann 👍");
        assertThat(postgres.keys()).containsExactly("ann k a");
        assertThat(postgres.rejections()).containsExactly("0 7 2 b duplicate");
        assertThat(result.reasons()).containsExactly("duplicate");
    }

    @Test
    void aKeyThatWasUsedInAnotherPartitionMakesADuplicate() {
        postgres.apply(ann.keyed("k"));
        var retry = event(1, "r").on(OTHER, EntityHead.NONE).by("ann").add("👍").keyed("k");
        postgres.apply(List.of(look(1, retry)), Map.of());

        assertThat(postgres.reactions()).containsExactly("1 ann 👍");
        assertThat(postgres.rejections()).containsExactly("1 7 1 r duplicate");
    }

    @Test
    void keysOfTwoUsersDoNotMeet() {
        postgres.apply(ann.keyed("k"), ben.keyed("k"));
        assertThat(postgres.keys()).containsExactly("ann k a", "ben k b");
    }

    @Test
    void aDependentOfADuplicateIsRejectedAndItsKeyStaysFree() {
        postgres.apply(ann.keyed("k"));
        var duplicate = event(2, "b").on(ann).by("ann").add("🔥").keyed("k");
        var dependent = event(3, "c").on(duplicate).by("ben").add("🔥").keyed("mine");
        postgres.apply(ann, duplicate, dependent);

        assertThat(postgres.rejections()).containsExactly("0 7 2 b duplicate", "0 7 3 c conflict");
        assertThat(postgres.keys()).containsExactly("ann k a");
        assertThat(postgres.reactions()).containsExactly("1 ann 👍");
    }

    @Test
    void anEventInConflictWithADuplicateStaysRejected() {
        postgres.apply(ann.keyed("k"));
        var duplicate = event(2, "b").on(ann).by("ann").add("🔥").keyed("k");
        var rival = event(3, "c").on(ann).by("ben").add("🔥").keyed("mine");
        postgres.apply(ann, duplicate, rival);

        assertThat(postgres.keys()).as("applied with its key or not at all").hasSize(1);
        assertThat(postgres.reactions()).containsExactly("1 ann 👍");
    }

    @Test
    void aKeyOfARejectedEventStaysFree() {
        postgres.apply(ann, event(2, "b").by("ben").add("🔥").keyed("k"));
        assertThat(postgres.keys()).isEmpty();
    }

    @Test
    void aPartitionLockedByAnotherTransactionIsSkipped() {
        postgres.transactions()
                .executeWithoutResult(
                        _ -> {
                            postgres.batch.apply(List.of(look(0, ann)), Map.of());
                            var other = event(1, "o").on(OTHER, EntityHead.NONE).add("👍");
                            var results =
                                    postgres.apply(List.of(look(0, ann), look(1, other)), Map.of());
                            assertThat(results)
                                    .extracting(result -> result.slice().p())
                                    .containsExactly(1);
                        });
        assertThat(postgres.reactions()).containsExactly("1 ann 👍", "2 ann 👍");
        assertThat(postgres.counts()).containsExactly("1 👍 1", "2 👍 1");
    }

    @Test
    void rejectionsOfOthersComeWithTheirCursor() {
        postgres.apply(ann, event(2, "conflict").add("🔥"), event(3, "c").on(ann).add("🔥"));
        var behind =
                new OutboxSlice(
                        0,
                        new Fence(RelayTransactionFixture.EPOCH, "id"),
                        1,
                        3,
                        3,
                        List.of(),
                        false);
        PartitionResult result = postgres.apply(List.of(behind), Map.of()).getFirst();

        assertThat(result.to()).isEqualTo(3);
        assertThat(result.rejected()).containsExactly(2L);
    }

    @Test
    void anotherPastChangesNothing() {
        postgres.apply(ann);
        PartitionResult result = postgres.apply(event(1, "another").add("👍"), ben);

        assertThat(result.finding()).isInstanceOf(ContinuityCheck.OtherPast.class);
        assertThat(postgres.cursors()).containsExactly("0 1 a");
        assertThat(postgres.counts()).containsExactly("1 👍 1");
    }

    @Test
    void anotherEpochChangesNothing() {
        postgres.jdbc.update("update partition set epoch = 8");
        PartitionResult result = postgres.apply(ann);

        assertThat(result.finding()).isInstanceOf(ContinuityCheck.Superseded.class);
        assertThat(postgres.entities()).isEmpty();
    }
}
