package dev.ovation.pcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.stream.IntStream;

/** Ranks on an entity to which thousands reacted at the same time. */
@Beside
class RanksTest {

    private static final EntityKey KEY = new EntityKey("posts", "instant");
    private static final long AT = 7;

    @RegisterExtension static final Crowded CROWDED = new Crowded();

    @Test
    void noMoreRowsAreReadThanTheCursorCanDistinguish() {
        var ranks =
                new Ranks(
                        CROWDED.jdbc(),
                        new PostgresBulkhead(1, 1, Duration.ofSeconds(10)),
                        Shards.undivided());

        assertThat(IntStream.of(1, 2, 377, PccCursor.MOST))
                .allSatisfy(rank -> assertThat(rank(ranks, rank)).isEqualTo(rank.longValue()));
        assertThat(ranks.rank(KEY, "a", AT, "user0")).isEqualTo(PccCursor.MOST + 1);
        assertThat(CROWDED.work(() -> ranks.rank(KEY, "a", AT, "user0")))
                .isLessThan(Crowded.AT_ONCE / 2);
    }

    /** Converts a rank to a user and back. */
    private static long rank(Ranks ranks, int rank) {
        return ranks.rank(KEY, "a", AT, ranks.user(KEY, "a", AT, rank));
    }
}
