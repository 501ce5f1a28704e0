package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class RelayCycleTest {

    @TempDir private Path rules;

    @Test
    void statementsApplyWhatOneCallCannot() throws Exception {
        TestRules.shared().writeTo(rules);
        try (var redis = RedisProcess.start();
                var instance =
                        Instance.start(
                                TestPostgres.url(),
                                redis.uri(),
                                rules,
                                Patience.longWith("ovation.requests.deadline=20s"))) {
            instance.attached();

            assertThat(instance.add("posts", "new", "ann", "👍").status()).isEqualTo(200);

            var registry = instance.bean(MeterRegistry.class);
            assertThat(
                            registry.get("ovation.relay.calls")
                                    .tag("result", "reaction")
                                    .counter()
                                    .count())
                    .isPositive();
        }
    }
}
