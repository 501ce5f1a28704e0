package dev.ovation.ranking;

import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.Tag;

import java.util.stream.LongStream;

/** The statements for a Citus, on an undivided Postgres. */
@Tag("one-postgres")
class DividedRankingTest extends RankingTest {

    private static final int PARTITIONS = 64;

    /** Each shard has two neighbouring partitions. */
    private static final Shards SHARDS =
            Shards.of(LongStream.range(0, PARTITIONS).map(p -> 100 + p / 2).toArray());

    @Override
    Shards shards() {
        return SHARDS;
    }
}
