package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import io.lettuce.core.RedisClient;
import io.lettuce.core.XAddArgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class OutboxesTest {

    @TempDir private Path rules;

    @Test
    void entriesOfAnotherEpochAreNotLookedAt() throws Exception {
        TestRules.shared().writeTo(rules);
        try (var redis = RedisProcess.start();
                var client = RedisClient.create(redis.uri());
                var connection = client.connect();
                var instance =
                        Instance.start(
                                TestPostgres.url(),
                                redis.uri(),
                                rules,
                                Patience.longWith("ovation.internal.hot.command-timeout=60s"))) {
            instance.attached();
            var commands = connection.sync();
            long next = 1 + Long.parseLong(commands.hget(RedisSchema.meta(0), "epoch"));
            commands.xadd(RedisSchema.outbox(0), new XAddArgs().id(next + "-1"), Map.of("s", "1"));

            assertThat(instance.bean(Outboxes.class).look(List.of(0), 10)).isEmpty();
        }
    }
}
