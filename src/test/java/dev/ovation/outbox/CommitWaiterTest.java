package dev.ovation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class CommitWaiterTest {

    @TempDir private Path rules;

    @Test
    void aCancelledVerdictLeavesNoWaiter() throws Exception {
        TestRules.shared().writeTo(rules);
        try (var redis = RedisProcess.start();
                var instance =
                        Instance.start(
                                TestPostgres.url(),
                                redis.uri(),
                                rules,
                                Patience.longWith("ovation.internal.hot.command-timeout=60s"))) {
            instance.attached();
            var commits = instance.bean(CommitWaiter.class);
            var watermarks = instance.bean(Watermarks.class);
            long epoch = instance.bean(Fences.class).of(0).epoch();

            assertThat(commits.expect(0, epoch, 0)).isDone();
            var verdict = commits.expect(0, epoch, 1);
            assertThat(verdict).isNotDone();
            assertThat(watermarks.waiting()).isEqualTo(1);

            verdict.cancel(false);
            assertThat(watermarks.waiting()).isZero();
        }
    }
}
