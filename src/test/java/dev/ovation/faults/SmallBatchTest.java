package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

@Beside
class SmallBatchTest {

    /**
     * After failures a relay takes one event at a time; the checkpoint entry must not count as that
     * one.
     */
    @Test
    void aRelayThatTakesOneEventAtATimeStillGetsPastTheAnchor() {
        try (var redis = RedisProcess.start();
                var service =
                        Instance.start(
                                TestPostgres.url(),
                                redis.uri(),
                                Path.of("config"),
                                Stage.settings(Stage.PATIENT, "ovation.internal.relay.batch=1"))) {
            service.attached();
            for (String user : new String[] {"ann", "ben", "cat"}) {
                assertThat(service.add("posts", "1", user, "👍").status()).isEqualTo(200);
            }
            assertThat(service.read("posts", "1", null).body())
                    .isEqualTo(
                            "{\"entity_id\":\"1\",\"reactions_count\":"
                                    + "[{\"reaction_id\":\"👍\",\"count\":3}]}");
        }
    }
}
