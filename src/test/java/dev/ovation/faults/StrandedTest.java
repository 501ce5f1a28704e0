package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

@Beside
class StrandedTest {

    /** A failover behind one address, say: what was connected hangs, and nothing ever breaks it. */
    @Test
    void connectionsToRedisThatHangForEverAreReplaced() {
        try (var redis = RedisProcess.start();
                var line = TcpProxy.before(redis.uri());
                var instance =
                        Instance.start(TestPostgres.url(), line.through(redis.uri()), Stage.CONFIG)
                                .attached()) {
            assertThat(instance.add(Stage.POSTS, "post", "ann", "👍").status()).isEqualTo(200);
            line.strand();
            Wait.until(
                    "writes work again",
                    () ->
                            instance.add(Stage.POSTS, "post", "bob", "👍", "if_exists=ok").status()
                                    == 200);
            assertThat(Stage.counts(instance.read(Stage.POSTS, "post", "ann")))
                    .containsEntry("👍", 2L);
        }
    }
}
