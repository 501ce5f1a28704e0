package dev.ovation.store;

import static dev.ovation.store.StoreFixture.ANN;
import static dev.ovation.store.StoreFixture.BEN;
import static dev.ovation.store.StoreFixture.DISLIKE;
import static dev.ovation.store.StoreFixture.LIKE;
import static dev.ovation.store.StoreFixture.OTHER;
import static dev.ovation.store.StoreFixture.POST;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.EntityTable.EntityHead;
import dev.ovation.store.EntityTable.EntityStep;
import dev.ovation.store.ReactionTables.CounterKey;
import dev.ovation.store.ReactionTables.CounterTimes;
import dev.ovation.store.ReactionTables.UserReaction;
import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

class ReactionTablesTest {

    private final StoreFixture store = new StoreFixture();
    private static final EntityHead FIRST = new EntityHead(1, "op");

    private final EntityTable entities = new EntityTable(store.jdbc, Shards.undivided());
    private final ReactionTables reactions = new ReactionTables(store.jdbc, shards());

    /** Returns the shards of the tests. */
    Shards shards() {
        return Shards.undivided();
    }

    @Test
    void addedReactionsAreCounted() {
        apply(
                Map.of(),
                Map.of(of(ANN, LIKE), 10L, of(BEN, LIKE), 20L, of(BEN, DISLIKE), 30L),
                Map.of(
                        counter(LIKE),
                        new CounterTimes(10, 20),
                        counter(DISLIKE),
                        new CounterTimes(30, 30)));

        assertThat(counters()).containsExactlyInAnyOrder(LIKE + " 2 10 20", DISLIKE + " 1 30 30");
        assertThat(store.rows("select entity, user_id, reaction, reacted_at from named_reaction"))
                .containsExactlyInAnyOrder(
                        POST.entity() + " " + ANN + " " + LIKE + " 10",
                        POST.entity() + " " + BEN + " " + LIKE + " 20",
                        POST.entity() + " " + BEN + " " + DISLIKE + " 30");
    }

    @Test
    void anExistingReactionIsNotCountedAgain() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        add(ANN, LIKE, 20, new CounterTimes(10, 20));

        assertThat(counters()).containsExactly(LIKE + " 1 10 20");
    }

    @Test
    void removingAnAbsentReactionKeepsTheCount() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        remove(BEN, LIKE, new CounterTimes(10, 10));

        assertThat(counters()).containsExactly(LIKE + " 1 10 10");
    }

    @Test
    void aRemovalIsRemembered() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        apply(
                Map.of(of(ANN, LIKE), 30L, of(BEN, LIKE), 31L),
                Map.of(),
                Map.of(counter(LIKE), new CounterTimes(10, 10)));
        apply(Map.of(of(ANN, LIKE), 20L), Map.of(), Map.of(counter(LIKE), new CounterTimes(1, 1)));

        assertThat(store.rows("select user_id, removed_at from removal"))
                .containsExactlyInAnyOrder(ANN + " 30", BEN + " 31");
    }

    @Test
    void aCounterThatReachesZeroLeaves() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        add(ANN, DISLIKE, 20, new CounterTimes(20, 20));
        remove(ANN, LIKE, new CounterTimes(10, 10));

        assertThat(counters()).containsExactly(DISLIKE + " 1 20 20");
        assertThat(store.rows("select reaction from named_reaction")).containsExactly(DISLIKE);
    }

    @Test
    void aRemovalThatFindsNothingMakesNoCounter() {
        remove(ANN, LIKE, new CounterTimes(10, 10));

        assertThat(counters()).isEmpty();
    }

    @Test
    void theTimesOfACounterAreThoseOfTheBatch() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        add(BEN, LIKE, 20, new CounterTimes(10, 20));
        remove(ANN, LIKE, new CounterTimes(10, 20));
        assertThat(counters()).containsExactly(LIKE + " 1 10 20");

        remove(BEN, LIKE, new CounterTimes(10, 20));
        add(BEN, LIKE, 40, new CounterTimes(40, 40));
        assertThat(counters()).containsExactly(LIKE + " 1 40 40");
    }

    @Test
    void aReaddedReactionHasANewTimeAndTheSameCount() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        apply(
                Map.of(of(ANN, LIKE), 1L),
                Map.of(of(ANN, LIKE), 30L),
                Map.of(counter(LIKE), new CounterTimes(30, 30)));

        assertThat(counters()).containsExactly(LIKE + " 1 30 30");
        assertThat(store.rows("select reacted_at from named_reaction")).containsExactly("30");
    }

    @Test
    void aTouchedCounterThatEndsWhereItBeganKeepsItsCount() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        apply(
                Map.of(of(ANN, LIKE), 1L),
                Map.of(of(BEN, LIKE), 30L),
                Map.of(counter(LIKE), new CounterTimes(10, 30)));

        assertThat(counters()).containsExactly(LIKE + " 1 10 30");
    }

    @Test
    void aCounterThatComesAndGoesWithinABatchIsNotMade() {
        apply(Map.of(of(ANN, LIKE), 1L), Map.of(), Map.of(counter(LIKE), new CounterTimes(10, 10)));

        assertThat(counters()).isEmpty();
    }

    @Test
    void countersOfEntitiesAndNamespacesAreSeparate() {
        var video = new EntityKey("videos", POST.entity());
        for (EntityKey key : List.of(POST, OTHER, video)) {
            apply(
                    Map.of(),
                    Map.of(new UserReaction(key, ANN, LIKE), 10L),
                    Map.of(new CounterKey(key, LIKE), new CounterTimes(10, 10)));
        }
        apply(
                Map.of(new UserReaction(OTHER, ANN, LIKE), 11L),
                Map.of(),
                Map.of(new CounterKey(OTHER, LIKE), new CounterTimes(10, 10)));

        assertThat(store.rows("select namespace, entity from named_counter"))
                .containsExactlyInAnyOrder("posts " + POST.entity(), "videos " + POST.entity());
    }

    @Test
    void similarLookingReactionsAreCountedSeparately() {
        var alike = List.of("❤", "❤️", "👍", "👍🏽", "é", "e\u0301", "a", "A", "ß", "ss");
        for (String reaction : alike) {
            add(ANN, reaction, 10, new CounterTimes(10, 10));
        }

        assertThat(store.rows("select reaction from named_counter where count = 1"))
                .containsExactlyInAnyOrderElementsOf(alike);
    }

    @Test
    void rowsThatChangeUnderACounterThatWasNotTouchedAreAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                apply(
                                        Map.of(),
                                        Map.of(of(ANN, LIKE), 10L),
                                        Map.of(counter(DISLIKE), new CounterTimes(10, 10))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(Map.of(), Map.of(of(ANN, LIKE), 10L), Map.of()));
        assertThat(counters()).isEmpty();
        assertThat(store.rows("select * from named_reaction")).isEmpty();
    }

    @Test
    void aCountBelowZeroIsRefusedByTheDatabase() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        store.jdbc.update("delete from named_counter");

        assertThatThrownBy(() -> remove(ANN, LIKE, new CounterTimes(10, 10)))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(store.rows("select reaction from named_reaction")).containsExactly(LIKE);
    }

    @Test
    void anEmptyBatchDoesNothing() {
        apply(Map.of(), Map.of(), Map.of());

        assertThat(counters()).isEmpty();
    }

    @Test
    void countsEqualRowsAfterEveryBatch() {
        var random = new Random(377);
        for (int batch = 0; batch < 37; batch++) {
            var removed = new HashMap<UserReaction, Long>();
            var added = new HashMap<UserReaction, Long>();
            var touched = new HashMap<CounterKey, CounterTimes>();
            for (int i = 0; i < 100; i++) {
                String reaction = "reaction" + random.nextInt(5);
                var key = random.nextBoolean() ? POST : OTHER;
                var row = new UserReaction(key, "user" + random.nextInt(7), reaction);
                if (random.nextBoolean()) {
                    removed.put(row, 1L);
                } else {
                    added.put(row, (long) batch);
                }
                touched.put(new CounterKey(key, reaction), new CounterTimes(batch, batch));
            }
            apply(removed, added, touched);

            assertThat(store.rows("select entity, reaction, count from named_counter"))
                    .containsExactlyInAnyOrderElementsOf(
                            store.rows(
                                    """
                                    select entity, reaction, count(*)
                                    from   named_reaction
                                    group  by entity, reaction
                                    """));
            assertThat(people())
                    .containsExactlyInAnyOrderElementsOf(
                            store.rows(
                                    """
                                    select e.entity, count(distinct r.user_id)
                                    from   entity e left join user_reaction r
                                           on r.p = e.p and r.entity_no = e.no
                                    group  by e.entity
                                    """));
        }
    }

    @Test
    void aUserCountsOnceAsLongAsAReactionIsLeft() {
        add(ANN, LIKE, 10, new CounterTimes(10, 10));
        add(ANN, DISLIKE, 20, new CounterTimes(20, 20));
        add(BEN, LIKE, 30, new CounterTimes(10, 30));
        assertThat(people()).contains(POST.entity() + " 2");

        remove(ANN, LIKE, new CounterTimes(10, 30));
        assertThat(people()).contains(POST.entity() + " 2");

        remove(ANN, DISLIKE, new CounterTimes(20, 20));
        assertThat(people()).contains(POST.entity() + " 1");
    }

    private List<String> people() {
        return store.rows("select entity, people from entity");
    }

    private void add(String user, String reaction, long at, CounterTimes times) {
        apply(Map.of(), Map.of(of(user, reaction), at), Map.of(counter(reaction), times));
    }

    private void remove(String user, String reaction, CounterTimes times) {
        apply(
                Map.of(of(user, reaction), times.lastAt()),
                Map.of(),
                Map.of(counter(reaction), times));
    }

    private void apply(
            Map<UserReaction, Long> removed,
            Map<UserReaction, Long> added,
            Map<CounterKey, CounterTimes> touched) {
        store.transaction(
                () -> reactions.apply(numbers(added, touched), removed, added, Map.of(), touched));
    }

    /** Numbers of POST, OTHER and all added or touched reactions. */
    private Numbers numbers(Map<UserReaction, Long> added, Map<CounterKey, CounterTimes> touched) {
        var keys = new HashSet<>(List.of(POST, OTHER));
        var names = new HashSet<String>();
        added.keySet().forEach(row -> names.add(row.reaction()));
        touched.keySet().forEach(counter -> names.add(counter.reaction()));
        touched.keySet().forEach(counter -> keys.add(counter.key()));
        var found = entities.find(keys, names);
        keys.removeAll(found.heads().keySet());
        var numbers = found.numbers();
        numbers.entities()
                .putAll(
                        entities.advance(
                                keys.stream()
                                        .map(
                                                key ->
                                                        new EntityStep(
                                                                7, key, EntityHead.NONE, FIRST, 1))
                                        .toList()));
        reactions.number(names, numbers);
        return numbers;
    }

    private List<String> counters() {
        return store.rows("select reaction, count, first_at, last_at from named_counter");
    }

    private static UserReaction of(String user, String reaction) {
        return new UserReaction(POST, user, reaction);
    }

    private static CounterKey counter(String reaction) {
        return new CounterKey(POST, reaction);
    }
}
