package dev.ovation.store;

import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.Tag;

/** The statements for a Citus, on an undivided Postgres. */
@Tag("one-postgres")
class DividedReactionTablesTest extends ReactionTablesTest {

    private static final Shards SHARDS = Shards.of(7, 8, 7, 8);

    @Override
    Shards shards() {
        return SHARDS;
    }
}
