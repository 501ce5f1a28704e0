package dev.ovation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.Fences;
import dev.ovation.outbox.cursor.Cursors;
import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class CommitsTest {

    @TempDir private Path rules;

    @Test
    void whoGivesUpToExpectAVerdictIsForgotten() throws Exception {
        TestRules.shared().writeTo(rules);
        try (var redis = RedisProcess.start();
                var instance =
                        Instance.start(
                                TestPostgres.url(),
                                redis.uri(),
                                rules,
                                // Redis may stand still for a while on a busy machine.
                                "ovation.hot.command-timeout=60s")) {
            instance.attached();
            var commits = instance.bean(Commits.class);
            var cursors = instance.bean(Cursors.class);
            long epoch = instance.bean(Fences.class).of(0).epoch();

            assertThat(commits.expect(0, epoch, 0)).isDone();
            var verdict = commits.expect(0, epoch, 1);
            assertThat(verdict).isNotDone();
            assertThat(cursors.waiting()).isEqualTo(1);

            verdict.cancel(false);
            assertThat(cursors.waiting()).isZero();
        }
    }
}
