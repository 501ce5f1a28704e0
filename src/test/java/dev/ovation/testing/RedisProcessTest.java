package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.function.Function;

/** Checks properties of Redis that other tests rely on, for each way to run it. */
@Beside
class RedisProcessTest {

    @Test
    void aKilledRedisComesBackOnItsPortAndEmpty() {
        try (var redis = RedisProcess.start()) {
            String address = redis.uri();
            ask(redis, commands -> commands.set("key", "value"));
            redis.kill();
            redis.restart();
            assertThat(redis.uri()).isEqualTo(address);
            assertThat(ask(redis, commands -> commands.get("key"))).isNull();
        }
    }

    @Test
    void anAppendOnlyRedisKeepsItsDataAfterAKill() {
        try (var redis = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always")) {
            ask(redis, commands -> commands.set("key", "value"));
            redis.kill();
            redis.restart();
            assertThat(ask(redis, commands -> commands.get("key"))).isEqualTo("value");
        }
    }

    @Test
    @Tag("embedded")
    void aRedisThatEndsAtItsStartIsReportedWithItsLog() {
        assertThatThrownBy(() -> RedisProcess.start("--no-such-option", "yes"))
                .hasMessageContaining("Redis has ended")
                .hasMessageContaining("no-such-option");
    }

    private static String ask(
            RedisProcess redis, Function<RedisCommands<String, String>, String> question) {
        var client = RedisClient.create(redis.uri());
        try (var connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown();
        }
    }
}
