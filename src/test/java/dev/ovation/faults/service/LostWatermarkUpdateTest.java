package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisUser;
import dev.ovation.testing.Wait;
import dev.ovation.testing.report.Seed;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.protocol.CommandType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;

/** Watermark updates between instances are lost. */
@Beside
@ExtendWith(Pair.class)
class LostWatermarkUpdateTest {

    private static final long SEED = Seed.from("seed", 377);

    @Test
    void waitersReadTheWatermarkThemselvesWhenUpdatesAreLost() throws Exception {
        var entities = List.of("no news 1", "no news 2");
        var crowd = new Crowd(SEED, List.of(Pair.one(), Pair.other()), entities);
        var rule = new AclSetuserArgs();
        Pair.stage().redis().aclSetuser(RedisUser.NAME, rule.removeCommand(CommandType.PUBLISH));
        try {
            var users = crowd.run(13, 29);
            Crowd.assertShown(users);
        } finally {
            var again = new AclSetuserArgs();
            Pair.stage().redis().aclSetuser(RedisUser.NAME, again.addCommand(CommandType.PUBLISH));
        }
    }

    @Test
    void waitersAreAnsweredAfterTheUpdateConnectionBreaks() throws Exception {
        String entity = "news cut";
        Pair.other().add(POSTS, entity, "zoe", "👍");
        Pair.stage().awaitDrained();
        Wait.until("both listen", () -> listeners() == 2);
        try (var _ = Pair.stage().holdRelays()) {
            var ann = Stage.meanwhile(() -> Pair.one().add(POSTS, entity, "ann", "👍"));
            var ben = Stage.meanwhile(() -> Pair.other().add(POSTS, entity, "ben", "👍"));
            Pair.stage().awaitProposed(POSTS, entity, 3);
            Wait.until(
                    "both connections are killed at once",
                    () -> Pair.stage().redis().clientKill(KillArgs.Builder.typePubsub()) == 2);
            Pair.stage().release();
            assertThat(ann.get().status()).isEqualTo(200);
            assertThat(ben.get().status()).isEqualTo(200);
        }
        Wait.until("both listen again", () -> listeners() == 2);
        for (Instance instance : List.of(Pair.one().attached(), Pair.other().attached())) {
            String user = "user of " + instance.port();
            assertThat(instance.add(POSTS, entity, user, "👍").status()).isEqualTo(200);
        }
        assertThat(Pair.stage().count(POSTS, entity, "👍")).isEqualTo(5);
    }

    private static long listeners() {
        var redis = Pair.stage().redis();
        String[] channels = redis.pubsubChannels().toArray(String[]::new);
        return redis.pubsubNumsub(channels).values().stream().mapToLong(n -> n).sum();
    }
}
