package dev.ovation.store.snapshot;

import static dev.ovation.store.StoreFixture.ANN;
import static dev.ovation.store.StoreFixture.BEN;
import static dev.ovation.store.StoreFixture.DISLIKE;
import static dev.ovation.store.StoreFixture.LIKE;
import static dev.ovation.store.StoreFixture.OTHER;
import static dev.ovation.store.StoreFixture.POST;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.UserOfEntity;
import dev.ovation.store.StoreFixture;
import dev.ovation.store.shard.Shards;
import dev.ovation.store.snapshot.ReactorPages.ReactorRow;
import dev.ovation.store.snapshot.ReactorPages.RowPosition;
import dev.ovation.store.snapshot.Snapshots.Wanted;
import dev.ovation.store.snapshot.UserStates.UserState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

class SnapshotsTest {

    private static final int P = 5;
    private static final String ENTITY =
            """
            insert into entity (p, no, version, last_op, last_at, namespace, entity)
            select ?, count(*) + 1, ?, ?, ?, ?, ? from entity
            """;

    private final StoreFixture store = new StoreFixture();
    private final Snapshots snapshots = new Snapshots(store.jdbc, Shards.undivided());
    private final UserStates states = new UserStates(store.jdbc, Shards.undivided());
    private final ReactorPages reactors = new ReactorPages(store.jdbc, Shards.undivided());

    @BeforeEach
    void aPartitionInItsNinthEpoch() {
        store.jdbc.update("insert into partition (p, epoch) values (?, 9), (6, 10)", P);
    }

    @Test
    void anUntouchedEntityIsCompleteAndEmpty() {
        assertThat(snapshot(P, POST, ANN, 10))
                .isEqualTo(new EntitySnapshot(9, 0, "", 0, 0, List.of(), true, Map.of()));
    }

    /** Only a Citus calls the function. Its parameters stand for those of the statement. */
    @Test
    void theFunctionOfShardsHasTheSameStatement() {
        String statement = Snapshots.ENTITIES.replaceAll(" */\\*.*?\\*/", "");
        for (String name : List.of("ps", "namespaces", "entities", "viewers", "most")) {
            statement = statement.replaceFirst("\\?::\\w+(\\[])?", name);
        }

        assertThat(
                        store.jdbc.queryForObject(
                                "select prosrc from pg_proc where proname = 'read_entities'",
                                String.class))
                .containsIgnoringWhitespaces(statement);
    }

    @Test
    void aLockedEntityHasItsLock() {
        someReactions();
        assertThat(snapshot(P, POST, null, 3).lock()).isNull();
        store.jdbc.update("update entity set lock = 'some' where entity = ?", POST.entity());

        assertThat(snapshot(P, POST, null, 3).lock()).isEqualTo("some");
    }

    @Test
    void aCompleteOneHoldsAllReactorsOldestReactionFirst() {
        someReactions();

        assertThat(snapshot(P, POST, null, 3))
                .isEqualTo(
                        new EntitySnapshot(
                                9,
                                42,
                                "op42",
                                30,
                                2,
                                List.of(
                                        new Counter(DISLIKE, 1, 10, 10),
                                        new Counter(LIKE, 2, 20, 30)),
                                true,
                                Map.of(ANN, List.of(DISLIKE, LIKE), BEN, List.of(LIKE)),
                                null,
                                Map.of(ANN, 20L, BEN, 30L)));
    }

    @Test
    void timesAreThoseOfItsUsers() {
        someReactions();

        assertThat(snapshot(P, POST, ANN, 2).lastReactedAt()).isEqualTo(Map.of(ANN, 20L));
        assertThat(
                        states.lastReactedAt(
                                List.of(
                                        new UserOfEntity(POST, ANN),
                                        new UserOfEntity(POST, BEN),
                                        new UserOfEntity(POST, "cat"))))
                .isEqualTo(
                        Map.of(new UserOfEntity(POST, ANN), 20L, new UserOfEntity(POST, BEN), 30L));
    }

    @Test
    void anotherEntitysRowsAreNotInIt() {
        someReactions();
        store.jdbc.update(ENTITY, P, 1, "op1", 5, "posts", "other");

        EntitySnapshot other = snapshot(P, OTHER, ANN, 10);
        assertThat(other.op()).isEqualTo("op1");
        assertThat(other.counters()).isEmpty();
        assertThat(other.users()).isEmpty();
        EntitySnapshot video = snapshot(P, new EntityKey("videos", POST.entity()), ANN, 10);
        assertThat(video.op()).isEmpty();
        assertThat(video.counters()).isEmpty();
        assertThat(video.users()).isEmpty();
    }

    @Test
    void aHighCardinalitySnapshotHoldsTheViewerAlone() {
        someReactions();

        EntitySnapshot snapshot = snapshot(P, POST, ANN, 2);
        assertThat(snapshot.complete()).isFalse();
        assertThat(snapshot.users()).isEqualTo(Map.of(ANN, List.of(DISLIKE, LIKE)));
        assertThat(snapshot.counters()).hasSize(2);
        assertThat(snapshot.version()).isEqualTo(42);
    }

    @Test
    void aViewerWithoutReactionsHasAnEmptyList() {
        someReactions();

        assertThat(snapshot(P, POST, "cat", 2).users()).isEqualTo(Map.of("cat", List.of()));
    }

    @Test
    void aHighCardinalityEntityWithoutAViewerHoldsNoUsers() {
        someReactions();

        assertThat(snapshot(P, POST, null, 2).users()).isEmpty();
        assertThat(snapshot(P, POST, null, 2).complete()).isFalse();
    }

    @Test
    void withoutALimitOnlyTheViewerIsRead() {
        someReactions();

        EntitySnapshot snapshot = snapshot(P, POST, BEN, 0);
        assertThat(snapshot.complete()).isFalse();
        assertThat(snapshot.users()).isEqualTo(Map.of(BEN, List.of(LIKE)));
        assertThat(snapshot(P, OTHER, BEN, 0).complete()).isFalse();
    }

    @Test
    void oneReadGivesEachEntityItsOwnSnapshot() {
        someReactions();
        store.jdbc.update(ENTITY, 6, 3, "op3", 50, "posts", "other");
        react(OTHER, BEN, DISLIKE, 50);
        var never = new EntityKey("posts", "never");
        var wanted =
                List.of(
                        new Wanted(P, POST, ANN),
                        new Wanted(6, OTHER, null),
                        new Wanted(P, POST, null),
                        new Wanted(6, never, BEN));

        List<EntitySnapshot> found = snapshots.entities(wanted, 2);

        assertThat(found)
                .containsExactly(
                        snapshot(P, POST, ANN, 2),
                        new EntitySnapshot(
                                10,
                                3,
                                "op3",
                                50,
                                1,
                                List.of(),
                                true,
                                Map.of(BEN, List.of(DISLIKE)),
                                null,
                                Map.of(BEN, 50L)),
                        snapshot(P, POST, null, 2),
                        new EntitySnapshot(10, 0, "", 0, 0, List.of(), true, Map.of()));
        assertThat(snapshots.entities(List.of(), 2)).isEmpty();
    }

    @Test
    void anEmptiedEntityKeepsItsPast() {
        store.jdbc.update(ENTITY, P, 7, "op7", 70, "posts", POST.entity());

        assertThat(snapshot(P, POST, null, 10))
                .isEqualTo(new EntitySnapshot(9, 7, "op7", 70, 0, List.of(), true, Map.of()));
    }

    @Test
    void usersAreLookedUpTogetherAbsenceIncluded() {
        someReactions();
        react(OTHER, BEN, DISLIKE, 50);

        assertThat(
                        states.of(
                                List.of(
                                        new UserOfEntity(POST, ANN),
                                        new UserOfEntity(OTHER, ANN),
                                        new UserOfEntity(OTHER, BEN),
                                        new UserOfEntity(POST, "cat"))))
                .isEqualTo(
                        Map.of(
                                new UserOfEntity(POST, ANN),
                                        new UserState(42, List.of(DISLIKE, LIKE)),
                                new UserOfEntity(OTHER, ANN), new UserState(1, List.of()),
                                new UserOfEntity(OTHER, BEN), new UserState(1, List.of(DISLIKE)),
                                new UserOfEntity(POST, "cat"), new UserState(42, List.of())));
        assertThat(states.of(List.of())).isEmpty();
    }

    @Test
    void aUserAskedForTwiceHasEachReactionOnce() {
        someReactions();
        var ann = new UserOfEntity(POST, ANN);

        assertThat(states.of(List.of(ann, ann)))
                .isEqualTo(Map.of(ann, new UserState(42, List.of(DISLIKE, LIKE))));
    }

    @Test
    void pagesOfReactorsMissNoneWhoShareAnInstant() {
        someReactions();
        for (int i = 0; i < 37; i++) {
            react(POST, "user" + i, i % 2 == 0 ? LIKE : DISLIKE, 100 + i / 7);
        }
        store.jdbc.update(ENTITY, P, 1, "op1", 5, "posts", "other");
        react(OTHER, "cat", LIKE, 100);

        var found = new TreeSet<String>();
        var from = RowPosition.START;
        List<ReactorRow> page;
        do {
            page = reactors.page(POST, from, 11);
            page.forEach(reactor -> found.add(reactor.user()));
            from = page.getLast().position();
        } while (page.size() == 11);

        var all = new TreeSet<>(Set.of(ANN, BEN));
        IntStream.range(0, 37).forEach(i -> all.add("user" + i));
        assertThat(found).isEqualTo(all);
        assertThat(reactors.page(new EntityKey("posts", "unknown"), from, 11)).isEmpty();
    }

    private EntitySnapshot snapshot(int p, EntityKey key, @Nullable String viewer, int limit) {
        return snapshots.entities(List.of(new Wanted(p, key, viewer)), limit).getFirst();
    }

    private void someReactions() {
        store.jdbc.update(ENTITY, P, 42, "op42", 30, "posts", POST.entity());
        react(POST, BEN, LIKE, 30);
        react(POST, ANN, LIKE, 20);
        react(POST, ANN, DISLIKE, 10);
        store.jdbc.update(
                """
                insert into named_counter
                select namespace, entity, reaction, count(*), min(reacted_at), max(reacted_at)
                from   named_reaction
                group  by namespace, entity, reaction
                """);
    }

    private void react(EntityKey key, String user, String reaction, long at) {
        store.jdbc.update(
                "insert into named_reaction values (?, ?, ?, ?, ?)",
                key.namespace(),
                key.entity(),
                user,
                reaction,
                at);
        store.jdbc.execute("select count_people()");
    }
}
