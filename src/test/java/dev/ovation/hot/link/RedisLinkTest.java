package dev.ovation.hot.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.RedisCalls;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Servers that the link accepts. */
class RedisLinkTest {

    private RedisProcess process;
    private RedisClient client;
    private RedisCommands<String, String> redis;
    private RedisLink link;
    private long asked;

    @BeforeEach
    void start() {
        process = RedisProcess.start();
        client = RedisClient.create(process.uri());
        redis = client.connect().sync();
        link = new RedisLink(() -> client, Duration.ofSeconds(30));
    }

    @AfterEach
    void stop() {
        link.stop();
        client.shutdown();
        process.close();
    }

    @Test
    void isDownWhileTheServerIsAReplicaAlthoughNoConnectionBreaks() {
        link.start();
        Wait.until("it is up", () -> link.incarnation().isPresent());
        String before = link.incarnation().orElseThrow();

        redis.replicaof("127.0.0.1", 1);
        Wait.until("it is down", () -> link.incarnation().isEmpty());

        redis.replicaofNoOne();
        Wait.until("it is up", () -> link.incarnation().isPresent());
        assertThat(link.incarnation().orElseThrow()).isNotEqualTo(before);
    }

    @Test
    void theLinkStaysDownWhileTheServerMayEvictDirtyKeys() {
        redis.configSet("maxmemory-policy", "allkeys-lru");
        link.start();
        Wait.until("it has looked", () -> infos() > 6);
        assertThat(link.incarnation()).isEmpty();

        redis.configSet("maxmemory-policy", "volatile-lru");
        Wait.until("it is up", () -> link.incarnation().isPresent());
    }

    /** Number of INFO commands by other clients: three for each look. */
    private long infos() {
        asked++;
        return RedisCalls.count(redis, "info") - asked;
    }
}
