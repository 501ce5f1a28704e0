package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

import java.time.Duration;

@Beside
class StrandedTest {

    /** The connections hang without breaking, as after a failover behind one address. */
    @Test
    void connectionsToRedisThatHangForEverAreReplaced() {
        try (var redis = RedisProcess.start();
                var line = TcpProxy.before(redis.uri());
                var instance =
                        Instance.start(TestPostgres.url(), line.through(redis.uri()), Stage.CONFIG)
                                .attached()) {
            Wait.until("writes work", () -> isAdded(instance, "ann"));
            line.strand();
            // Connections are replaced after 8 s without an answer.
            Wait.until("writes work again", Duration.ofMinutes(2), () -> isAdded(instance, "bob"));
            assertThat(Stage.counts(instance.read(Stage.POSTS, "post", "ann")))
                    .containsEntry("👍", 2L);
        }
    }

    private static boolean isAdded(Instance instance, String user) {
        return instance.add(Stage.POSTS, "post", user, "👍", "if_exists=ok").status() == 200;
    }
}
