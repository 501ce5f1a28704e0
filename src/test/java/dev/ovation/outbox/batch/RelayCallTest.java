package dev.ovation.outbox.batch;

import static dev.ovation.outbox.batch.RelayTransactionFixture.look;
import static dev.ovation.outbox.batch.TestEvent.OTHER;
import static dev.ovation.outbox.batch.TestEvent.POST;
import static dev.ovation.outbox.batch.TestEvent.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.batch.RelayCall.CallOutcome;
import dev.ovation.outbox.batch.RelayTransaction.PartitionResult;
import dev.ovation.outbox.batch.RelayTransactionFixture.Way;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.RelayFunction.CallResult;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The relay's transaction as one call, on a real Postgres: when it applies, and when not. */
class RelayCallTest {

    private final RelayTransactionFixture postgres =
            new RelayTransactionFixture(Way.ONE_CALL, Faulty.SOURCE);

    private final TestEvent ann = event(1, "a").by("ann").add("👍");
    private final TestEvent ben = event(2, "b").on(ann).by("ben").add("👍");
    private final TestEvent cat = event(3, "c").on(ben).by("cat").add("🔥");

    /** A database whose tables tests make fail. */
    private static final class Faulty {
        private static final javax.sql.DataSource SOURCE = RelayTransactionFixture.pool();
    }

    /** A slice of which the events up to {@code known} are applied. */
    private static OutboxSlice from(long epoch, long known, TestEvent... outbox) {
        var fence = new Fence(epoch, "id");
        return new OutboxSlice(0, fence, known, known, 0, TestEvent.entries(outbox), true);
    }

    private static OutboxSlice from(long known, TestEvent... outbox) {
        return from(RelayTransactionFixture.EPOCH, known, outbox);
    }

    private void applied(OutboxSlice... slices) {
        assertThat(postgres.call.apply(List.of(slices)).result()).isEqualTo(CallResult.APPLIED);
    }

    private void assertUnchanged(CallResult reason, OutboxSlice... slices) {
        var before = postgres.tables();
        CallOutcome outcome = postgres.call.apply(List.of(slices));

        assertThat(outcome).isEqualTo(CallOutcome.unchanged(reason));
        assertThat(postgres.tables()).isEqualTo(before);
    }

    /** Runs a statement within each call that changes a table, once for the whole statement. */
    private void within(String table, String statement) {
        postgres.jdbc.execute(
                """
                create or replace function fault() returns trigger language plpgsql as $$
                begin
                    %s;
                    return null;
                end $$;
                create or replace trigger fault after insert or update or delete on %s
                for each statement execute function fault()
                """
                        .formatted(statement, table));
    }

    private void withoutFault() {
        postgres.jdbc.execute("drop function if exists fault cascade");
    }

    @Test
    void oneCallAppliesAndCommitsEventsOfSeveralPartitions() {
        var other = event(1, "o").on(OTHER, EntityHead.NONE).by("ann").add("👎");
        List<PartitionResult> results =
                postgres.call.apply(List.of(look(0, ann, ben, cat), look(1, other))).partitions();

        assertThat(postgres.reactions())
                .containsExactly("1 ann 👍", "1 ben 👍", "1 cat 🔥", "2 ann 👎");
        assertThat(postgres.counts()).containsExactly("1 👍 2", "1 🔥 1", "2 👎 1");
        assertThat(postgres.entities()).containsExactly("1 3 c", "2 1 o");
        assertThat(postgres.cursors()).containsExactlyInAnyOrder("0 3 c", "1 1 o");
        assertThat(results).extracting(PartitionResult::to).containsExactly(3L, 1L);
        assertThat(results).extracting(PartitionResult::fresh).containsExactly(3, 1);
        assertThat(results.getFirst().events()).extracting(Event::seq).containsExactly(1L, 2L, 3L);
    }

    /** A later event without the form takes it away. */
    @Test
    void theFormOfAReactionIsStored() {
        var toned = event(1, "f").by("dan").add("👍").with("fm", "👍\u001c👍🏽");
        applied(from(0, toned));
        assertThat(postgres.rows("select user_id, form from user_reaction"))
                .containsExactly("dan 👍🏽");
        var gone = event(2, "g").on(toned).by("dan").remove("👍");
        var again = event(3, "h").on(gone).by("dan").add("👍");
        applied(from(1, toned, gone, again));
        assertThat(postgres.rows("select form from user_reaction where form is not null"))
                .isEmpty();
    }

    @Test
    void aPutAndARemovalAreApplied() {
        applied(from(0, ann, ben));
        var put = event(3, "p").on(ben).by("ann").remove("👍").add("🔥");
        var removal = event(4, "r").on(put).by("ben").remove("👍");
        applied(from(2, ben, put, removal));

        assertThat(postgres.reactions()).containsExactly("1 ann 🔥");
        assertThat(postgres.counts()).as("a counter ends with its rows").containsExactly("1 🔥 1");
        assertThat(postgres.entities()).containsExactly("1 4 r");
    }

    @Test
    void aReactionAddedAndRemovedInOneCallLeavesNothing() {
        applied(from(0, ann, event(2, "b").on(ann).by("ann").remove("👍")));
        assertThat(postgres.reactions()).isEmpty();
        assertThat(postgres.counts()).isEmpty();
    }

    @Test
    void aCountFallsByTheRowsThatWereDeleted() {
        applied(from(0, ann, ben));
        var gone = event(3, "gone").on(ben).by("nobody").remove("👍");
        applied(from(2, ben, gone));

        assertThat(postgres.counts()).containsExactly("1 👍 2");
    }

    @Test
    void peopleMoveByTheUsersWhoReallyCameAndWent() {
        applied(from(0, ann, ben));
        var gone = event(3, "gone").on(ben).by("nobody").remove("👍");
        applied(from(2, ben, gone));
        assertThat(people()).containsExactly("1 2");

        var second = event(4, "second").on(gone).by("ann").add("👎");
        var swap = event(5, "swap").on(second).by("ben").remove("👍").add("👎");
        applied(from(3, gone, second, swap));
        assertThat(people()).containsExactly("1 2");

        var one = event(6, "one").on(swap).by("ann").remove("👍");
        applied(from(5, swap, one));
        assertThat(people()).containsExactly("1 2");

        var last = event(7, "last").on(one).by("ann").remove("👎");
        var cat = event(8, "cat").on(OTHER, EntityHead.NONE).by("cat").add("👍");
        applied(from(6, one, last, cat));
        assertThat(people()).containsExactly("1 1", "2 1");
    }

    private List<String> people() {
        return postgres.rows("select entity, people from entity order by no");
    }

    @Test
    void aRowThatExistsChangesNothing() {
        applied(from(0, ann, ben));
        var again = event(3, "again").on(ben).by("ann").add("👍");

        assertUnchanged(CallResult.ROW, from(2, ben, again));
    }

    @Test
    void aKeyedEventKeepsItsAnswer() {
        applied(from(0, ann.keyed("k"), ben));
        assertThat(postgres.keys()).containsExactly("ann k a");
    }

    @Test
    void eachNewEntityGetsTheNextNumberOfItsPartition() {
        applied(from(0, ann));
        applied(from(1, ann, event(2, "o").on(OTHER, EntityHead.NONE).add("👍")));
        assertThat(postgres.rows("select p, no, entity from entity order by no"))
                .containsExactly("0 1 1", "0 2 2");
    }

    @Test
    void manyNewEntitiesAreAppliedAtOnce() {
        TestEvent[] events =
                IntStream.rangeClosed(1, 2000)
                        .mapToObj(
                                n ->
                                        event(n, "op" + n)
                                                .on(
                                                        new EntityKey("posts", "new " + n),
                                                        EntityHead.NONE)
                                                .add("👍"))
                        .toArray(TestEvent[]::new);

        applied(from(0, events));

        assertThat(
                        postgres.rows(
                                """
                                select count(*), max(no), count(distinct no) from entity
                                union all
                                select count(*), max(count), count(distinct entity_no) from counter
                                union all
                                select count(*), 1, count(distinct entity_no) from user_reaction
                                """))
                .containsExactly("2000 2000 2000", "2000 1 2000", "2000 1 2000");
    }

    @Test
    void everyChangedEntityIsMarkedForTheRanking() {
        applied(from(0, ann));
        applied(from(1, ann, ben));
        assertThat(postgres.rows("select p, entity_no from changed_entity"))
                .containsExactly("0 1", "0 1");
    }

    @Test
    void loggedChangesHavePositionsWithoutAGap() {
        postgres.log(0);
        applied(from(0, ann, ben), look(1));
        var put = event(3, "p").on(ben).by("ann").remove("👍").add("🔥");
        applied(from(2, ben, put, event(4, "k").on(put).keyed("k"), cat(put)));

        assertThat(postgres.rows(LOG))
                .containsExactly(
                        "0 1 first ann 1 1",
                        "0 2 changed ben 2 2",
                        "0 3 changed ann 3 2",
                        "0 4 changed cat 5 3");
        assertThat(postgres.rows("select change ->> 'added', change ->> 'removed' from change_log"))
                .containsExactly("[\"👍\"] []", "[\"👍\"] []", "[\"🔥\"] [\"👍\"]", "[\"🔥\"] []");
    }

    private static final String LOG =
            "select p, position, kind, user_id, version, total from change_log order by 1, 2";

    private static TestEvent cat(TestEvent put) {
        var key = new EntityHead(put.event().version() + 1, "k");
        return event(5, "c").on(POST, key).by("cat").add("🔥");
    }

    @Test
    void onlyTheChangesOfLoggedPartitionsAreLogged() {
        postgres.log(1);
        var other = event(1, "o").on(OTHER, EntityHead.NONE).by("ann").add("👎");
        applied(look(0, ann), look(1, other));

        assertThat(postgres.rows(LOG)).containsExactly("1 1 first ann 1 1");
    }

    @Test
    void aCallWithoutRowsForTheLogChangesNothingWhereChangesAreLogged() {
        postgres.jdbc.update("update partition set logged = true");
        assertUnchanged(CallResult.LOG, from(0, ann));
        postgres.apply(List.of(from(0, ann)), Map.of());
        applied(from(1, ann, ben));

        assertThat(postgres.rows(LOG)).hasSize(2);
    }

    @Test
    void anotherEpochChangesNothing() {
        postgres.jdbc.update("update partition set epoch = 8");
        assertUnchanged(CallResult.PARTITION, from(0, ann));
    }

    @Test
    void aWatermarkElsewhereChangesNothing() {
        applied(from(0, ann));
        assertUnchanged(CallResult.PARTITION, from(0, ann, ben));
        postgres.jdbc.update("update partition set applied_seq = 4 where p = 0");
        assertUnchanged(CallResult.PARTITION, from(1, ann, ben));
    }

    @Test
    void anAnchorWithAnotherOpChangesNothing() {
        applied(from(0, ann));
        postgres.jdbc.update("update entity set last_op = 'x'");
        var another = event(1, "x").by("ann").add("👍");
        assertUnchanged(CallResult.PARTITION, from(1, another, event(2, "b").on(another)));
    }

    @Test
    void aLockedPartitionChangesNothing() {
        postgres.transactions()
                .executeWithoutResult(
                        _ -> {
                            postgres.partitions.lock(List.of(1));
                            var other = event(1, "o").on(OTHER, EntityHead.NONE).add("👍");
                            var outcome =
                                    meanwhile(
                                            () ->
                                                    postgres.call.apply(
                                                            List.of(look(0, ann), look(1, other))));
                            assertThat(outcome.join().result()).isEqualTo(CallResult.PARTITION);
                        });
        assertThat(postgres.entities()).isEmpty();
        assertThat(postgres.cursors()).isEmpty();
    }

    @Test
    void theRowsOfTheCallAreLockedUntilItsCommit() throws Exception {
        within("entity", "perform pg_advisory_xact_lock(17)");
        var held = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var holder =
                meanwhile(
                        () ->
                                postgres.inTransaction(
                                        () -> {
                                            postgres.jdbc.execute(
                                                    "select pg_advisory_xact_lock(17)");
                                            held.countDown();
                                            await(release);
                                            return true;
                                        }));
        held.await();
        var call = meanwhile(() -> postgres.call.apply(List.of(from(0, ann))));
        Wait.until(
                "the call waits in its change of an entity",
                () ->
                        postgres.rows(
                                                "select 1 from pg_locks where locktype = 'advisory' and not granted")
                                        .size()
                                == 1);
        try {
            assertThat(postgres.inTransaction(() -> postgres.partitions.lock(List.of(0))))
                    .as("skipped")
                    .isEmpty();
        } finally {
            release.countDown();
            holder.join();
            assertThat(call.join().result()).isEqualTo(CallResult.APPLIED);
            withoutFault();
        }
    }

    private static <T> CompletableFuture<T> meanwhile(Supplier<T> action) {
        return CompletableFuture.supplyAsync(action, task -> Thread.ofVirtual().start(task));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aBaseOfAnotherVersionChangesNothing() {
        applied(from(0, ann));
        postgres.jdbc.update("update entity set version = 5");
        assertUnchanged(CallResult.BASE, from(1, ann, ben));
    }

    @Test
    void aBaseOfAnotherOpChangesNothing() {
        applied(from(0, ann));
        postgres.jdbc.update("update entity set last_op = 'imported'");
        assertUnchanged(CallResult.BASE, from(1, ann, ben));
    }

    @Test
    void anEntityThatExistsIsNotCreatedAgain() {
        applied(from(0, ann));
        assertUnchanged(CallResult.BASE, from(1, ann, event(2, "new").by("ben").add("👍")));
    }

    @Test
    void anEntityWithAVersionAndWithoutAnOpIsNotCreated() {
        var odd = event(1, "a").on(POST, new EntityHead(4, "")).add("👍");
        assertUnchanged(CallResult.BASE, from(0, odd));
    }

    @Test
    void oneEntityAwayFromItsBaseLeavesTheOthersUnchanged() {
        applied(from(0, ann));
        postgres.jdbc.update("update entity set last_op = 'imported'");
        var other = event(2, "o").on(OTHER, EntityHead.NONE).add("👍").keyed("k");
        assertUnchanged(CallResult.BASE, from(1, ann, other, event(3, "c").on(ann).add("👍")));
    }

    @Test
    void anUnknownReactionChangesNothing() {
        assertUnchanged(CallResult.REACTION, from(0, event(1, "a").add("🆕")));
    }

    @Test
    void aTakenKeyChangesNothing() {
        applied(from(0, ann.keyed("k")));
        var retry = event(2, "r").on(ann).by("ann").add("🔥").keyed("k");
        assertUnchanged(CallResult.KEY, from(1, ann, retry));
    }

    @Test
    void aKeyThatComesTwiceChangesNothing() {
        var second = event(2, "b").on(ann).by("ann").add("🔥").keyed("k");
        assertUnchanged(CallResult.KEY, from(0, ann.keyed("k"), second));
    }

    @ParameterizedTest
    @ValueSource(strings = {"applied_seq = applied_seq + 1", "epoch = epoch + 1"})
    void aWatermarkThatMovesUnderTheLockChangesNothing(String moved) {
        within("entity", "update partition set " + moved);
        try {
            assertUnchanged(CallResult.WATERMARK, from(0, ann));
        } finally {
            withoutFault();
        }
    }

    @Test
    void eventsThatAreToBeRejectedAreNotTaken() {
        assertUnchanged(CallResult.UNSUITABLE, from(0, ann, event(2, "b").without("at")));
        assertUnchanged(CallResult.UNSUITABLE, from(0, ann, event(2, "b").by("ben").add("👍")));
        assertUnchanged(
                CallResult.UNSUITABLE,
                from(0, ann, event(2, "b").on(ann).with("base", "another").add("👍")));
        assertUnchanged(CallResult.UNSUITABLE, from(0, ann.with("cnt", "")));
    }

    @Test
    void aSliceThatDoesNotContinueIsNotTaken() {
        assertUnchanged(CallResult.UNSUITABLE, from(0, ann, cat));
        assertUnchanged(CallResult.UNSUITABLE, from(0, ann.with("s", "9")));
        assertUnchanged(CallResult.UNSUITABLE, from(5, ann, ben));
        assertUnchanged(CallResult.UNSUITABLE, look(0));
        var other = event(1, "o").on(OTHER, EntityHead.NONE).add("👍");
        assertUnchanged(CallResult.UNSUITABLE, from(0, ann, cat), look(1, other));
    }

    @Test
    void aCountBelowZeroChangesNothing() {
        applied(from(0, ann));
        postgres.jdbc.update("delete from counter");
        var before = postgres.tables();
        var removal = from(1, ann, event(2, "b").on(ann).remove("👍"));

        assertThatThrownBy(() -> postgres.call.apply(List.of(removal)))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(postgres.tables()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void anErrorAtAnyTableChangesNothing(String table) {
        assertFails(table, "raise exception 'by the test'");
    }

    @ParameterizedTest
    @MethodSource("tables")
    void aSessionThatEndsAtAnyTableChangesNothing(String table) {
        assertFails(table, "perform pg_terminate_backend(pg_backend_pid())");
    }

    /** The tables that a call changes. */
    static List<String> tables() {
        return List.of(
                "idempotency_1",
                "entity",
                "changed_entity",
                "user_reaction",
                "removal_1",
                "counter",
                "partition",
                "change_log");
    }

    private void assertFails(String table, String fault) {
        postgres.log(0);
        applied(from(0, ann));
        var before = postgres.tables();
        String on = table.endsWith("_1") ? table.substring(0, table.length() - 2) : table;
        var removal = event(3, "r").on(ben).by("ann").remove("👍");
        within(on, fault);
        try {
            assertThatThrownBy(
                            () ->
                                    postgres.call.apply(
                                            List.of(from(1, ann, ben.keyed("k"), removal))))
                    .isInstanceOf(DataAccessException.class);
        } finally {
            withoutFault();
        }
        assertThat(postgres.tables()).isEqualTo(before);
        applied(from(1, ann, ben.keyed("k"), removal));
        assertThat(postgres.counts()).containsExactly("1 👍 1");
    }

    @Test
    void aCallThatIsRepeatedAfterALostAnswerIsAppliedOnce() {
        applied(from(0, ann, ben));
        assertThat(postgres.apply(List.of(from(0, ann, ben)), Map.of()).getFirst().to())
                .isEqualTo(2);
        assertThat(postgres.calls).containsExactly(CallResult.PARTITION);
        assertThat(postgres.counts()).containsExactly("1 👍 2");
    }

    @Test
    void aChangeOfAnotherWriterBetweenReadAndCallCausesAConflict() {
        applied(from(0, ann));
        postgres.inTransaction(
                () -> {
                    postgres.partitions.lock(List.of(0));
                    return postgres.jdbc.update(
                            "update entity set version = version + 9, last_op = 'imported'");
                });
        PartitionResult result =
                postgres.apply(List.of(from(1, ann, ben, cat)), Map.of()).getFirst();

        assertThat(postgres.calls).containsExactly(CallResult.BASE);
        assertThat(result.reasons()).containsExactly("conflict", "conflict");
        assertThat(postgres.entities()).containsExactly("1 10 imported");
        assertThat(postgres.counts()).containsExactly("1 👍 1");
    }

    /** Both read the same outbox, and know only what they applied themselves. */
    @Test
    void twoRelaysAtOnceApplyEachEventOnce() {
        int rounds = 377;
        var outbox = new ArrayList<TestEvent>();
        for (int n = 1; n <= rounds; n++) {
            var next = event(n, "op" + n).by("user" + n).add("👍");
            outbox.add(n == 1 ? next : next.on(outbox.getLast()));
        }
        Supplier<Long> relay =
                () -> {
                    long known = 0;
                    while (known < rounds) {
                        int end = (int) Math.min(rounds, known + 7);
                        var part =
                                outbox.subList((int) Math.max(0, known - 1), end)
                                        .toArray(TestEvent[]::new);
                        for (var result : postgres.apply(List.of(from(known, part)), Map.of())) {
                            known = Math.max(known, result.to());
                        }
                    }
                    return known;
                };
        CompletableFuture.allOf(meanwhile(relay), meanwhile(relay)).join();

        assertThat(postgres.counts()).containsExactly("1 👍 " + rounds);
        assertThat(postgres.reactions()).hasSize(rounds);
        assertThat(postgres.entities()).containsExactly("1 %d op%d".formatted(rounds, rounds));
        assertThat(postgres.rejections()).isEmpty();
        assertThat(postgres.calls).contains(CallResult.APPLIED);
    }
}
