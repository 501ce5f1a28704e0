package dev.ovation.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.ranking.Ranking.Ranked;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import java.time.Instant;
import java.util.Objects;

import javax.sql.DataSource;

@Beside
@ResourceLock("database of RankingTest")
class RankingTest extends RankingFixture {

    private static final DataSource SOURCE = impatient();

    RankingTest() {
        super(SOURCE, 1000, 1000);
    }

    @Test
    void changedEntitiesAreRankedByTheirCounts() {
        changed("x", 2, 1);
        changed("y", 4, 0);
        assertThat(follow()).isFalse();

        assertThat(top("")).containsExactly(new Ranked("y", 4), new Ranked("x", 3));
        assertThat(top("b")).containsExactly(new Ranked("x", 1));
    }

    @Test
    void anEntityLeavesTheListOfAReactionItLost() {
        changed("x", 2, 1);
        follow();
        changed("x", 0, 1);
        isDue();
        follow();

        assertThat(top("")).containsExactly(new Ranked("x", 1));
        assertThat(top("a")).isEmpty();
    }

    @Test
    void anEntityWithoutReactionsLeavesTheRanking() {
        changed("x", 2, 1);
        follow();
        changed("x", 0, 0);
        isDue();
        follow();

        assertThat(top("")).isEmpty();
    }

    @Test
    void anEntityWithSeveralMarksIsRankedOnce() {
        changed("x", 1, 0);
        changed("x", 2, 0);
        changed("x", 3, 0);
        follow();

        assertThat(top("a")).containsExactly(new Ranked("x", 3));
        assertThat(marks()).isZero();
    }

    @Test
    void aStepThatDoesNotCommitLeavesTheMarks() {
        changed("x", 1, 0);
        transactions.executeWithoutResult(
                status -> {
                    ranking.follow(BATCH);
                    status.setRollbackOnly();
                });

        assertThat(top("a")).isEmpty();
        assertThat(follow()).isFalse();
        assertThat(top("a")).containsExactly(new Ranked("x", 1));
    }

    @Test
    void onlyOneFollowsAtATime() {
        changed("x", 1, 0);
        transactions.executeWithoutResult(
                _ -> {
                    jdbc.execute("select from ranking_state for update");
                    assertThat(onAnotherConnection().follow(BATCH)).isFalse();
                });

        assertThat(marks()).isOne();
        follow();
        assertThat(marks()).isZero();
    }

    @Test
    void asOfMovesOnceAllIsTaken() {
        jdbc.update(
                "insert into changed_entity (p, entity_no) select 0, n from generate_series(1, ?) n",
                BATCH + 377);

        assertThat(follow()).isTrue();
        assertThat(asOf()).isEqualTo(Instant.EPOCH);
        assertThat(follow()).isFalse();
        assertThat(asOf()).isAfter(Instant.EPOCH);
        assertThat(marks()).isZero();
    }

    @Test
    void withoutMarksItIsUpToDate() {
        assertThat(follow()).isFalse();
        assertThat(asOf()).isAfter(Instant.EPOCH);
    }

    @Test
    void oneStepTakesManyMarksOfTheSameEntities() {
        jdbc.update(
                "insert into changed_entity (p, entity_no) select 0, 1 + n % 7 from generate_series(1, ?) n",
                3 * BATCH);

        assertThat(follow()).isFalse();
        assertThat(marks()).isZero();
    }

    /** Marks of a few frequently changed entities do not hide those of the others. */
    @Test
    void aStepTakesEntitiesHoweverManyMarksTheyHave() {
        jdbc.update(
                "insert into changed_entity (p, entity_no) select 0, 1 + n % 300 from generate_series(1, ?) n",
                7 * BATCH);

        assertThat(follow()).isFalse();
        assertThat(marks()).isZero();
    }

    @Test
    void howManyMarksAStepReadsIsBounded() {
        jdbc.update(
                "insert into changed_entity (p, entity_no) select 0, 7 from generate_series(1, ?) n",
                21 * BATCH);

        assertThat(follow()).isTrue();
        assertThat(marks()).isEqualTo(BATCH);
        assertThat(follow()).isFalse();
        assertThat(marks()).isZero();
    }

    @Test
    void anEntityWaitsAtMostOnceForItsRanking() {
        for (int i = 0; i < 3; i++) {
            jdbc.update(
                    "insert into changed_entity (p, entity_no) select 0, n from generate_series(1, ?) n",
                    5 * BATCH);
            assertThat(follow()).isTrue();
            assertThat(marks()).isZero();
            assertThat(waiting()).isBetween(4L * BATCH, 5L * BATCH);
        }
        while (follow()) {
            assertThat(asOf()).isEqualTo(Instant.EPOCH);
        }
        assertThat(waiting()).isZero();
        assertThat(asOf()).isAfter(Instant.EPOCH);
    }

    /** Later marks before it do not delay its turn. */
    @Test
    void laterMarksDoNotDelayAWaitingEntity() {
        entity(7 * BATCH, "z");
        changed("z", 7, 0);
        jdbc.execute("truncate changed_entity");
        String others =
                " (p, entity_no) select 0, n from generate_series(1, %d) n".formatted(2 * BATCH);
        jdbc.execute("insert into ranking_waiting" + others + " union all select 0, " + 7 * BATCH);
        for (int i = 0; i < 3; i++) {
            jdbc.execute("insert into changed_entity" + others);
            follow();
            assertThat(waiting()).isPositive();
        }

        assertThat(top("a")).containsExactly(new Ranked("z", 7));
    }

    @Test
    void aWaitingEntityIsRankedByItsLatestCounts() {
        for (int i = 1; i <= 3 * BATCH; i++) {
            entity(i, "e" + i);
        }
        jdbc.update(
                "insert into changed_entity (p, entity_no) select 0, n from generate_series(1, ?) n",
                3 * BATCH);
        assertThat(follow()).isTrue();
        String waits =
                jdbc.queryForObject(
                        """
                        select min(entity)
                        from   ranking_waiting w join entity e on e.p = w.p and e.no = entity_no
                        """,
                        String.class);
        changed(Objects.requireNonNull(waits), 7, 0);
        while (follow()) {
            assertThat(marks()).isZero();
        }

        assertThat(top("a")).containsExactly(new Ranked(waits, 7));
    }

    private void entity(int no, String entity) {
        jdbc.update(
                """
                insert into entity (p, no, namespace, entity, version, last_op, last_at)
                values (0, ?, 'posts', ?, 1, 'op', 1)
                """,
                no,
                entity);
    }

    /** Another data source, which does not take part in the transaction. */
    private Ranking onAnotherConnection() {
        var jdbc = new JdbcTemplate(new DelegatingDataSource(SOURCE));
        return new Ranking(jdbc, new RankingDepth(jdbc, Shards.undivided(), 1, 5_000), shards());
    }

    private Instant asOf() {
        return ranking.top("posts", "", Ranked.NONE, 1).asOf().toInstant();
    }

    private long marks() {
        return count("changed_entity");
    }

    private long waiting() {
        return count("ranking_waiting");
    }

    private long count(String table) {
        return Objects.requireNonNull(
                jdbc.queryForObject("select count(*) from " + table, Long.class));
    }
}
