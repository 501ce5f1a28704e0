package dev.ovation.hot.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.RedisCalls;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.RedisUser;
import dev.ovation.testing.Wait;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import java.time.Duration;

/** A link that is never up reports the reasons: each once in the log, the newest in health. */
@Isolated
@ExtendWith(OutputCaptureExtension.class)
class RedisReasonTest {

    private RedisProcess process;
    private RedisClient client;
    private RedisClient admin;
    private RedisCommands<String, String> redis;
    private RedisLink link;
    private long asked;

    /** Prepares a link for the user of the service or another one. */
    private void prepare(RedisProcess server, String address) {
        process = server;
        admin = RedisClient.create(server.uri());
        redis = admin.connect().sync();
        client = RedisClient.create(address);
        link = new RedisLink(() -> client, Duration.ofSeconds(30));
    }

    private void prepare() {
        var server = RedisProcess.start();
        prepare(server, RedisUser.uri(server.uri()));
    }

    @AfterEach
    void stop() {
        link.stop();
        client.shutdown();
        admin.shutdown();
        process.close();
    }

    @Test
    void aReplicaIsNamedOnceHoweverOftenItIsLookedAt(CapturedOutput output) {
        prepare();
        redis.replicaof("127.0.0.1", 1);
        link.start();
        awaitReason("this server is a replica");
        long before = refusedLooks();
        Wait.until("it has looked again", () -> refusedLooks() > before + 6);

        assertThat(output.getOut()).containsOnlyOnce("Redis is down: this server is a replica");
        redis.replicaofNoOne();
        Wait.until("it is up", () -> link.incarnation().isPresent());
        Wait.until("it has no reason", () -> link.downBecause().isEmpty());
    }

    @Test
    void anotherReasonIsNamedAndAfterwardsTheFirstAgain(CapturedOutput output) {
        prepare();
        redis.configSet("maxmemory-policy", "allkeys-lru");
        link.start();
        awaitReason("maxmemory-policy");
        redis.replicaof("127.0.0.1", 1);
        awaitReason("is a replica");
        redis.replicaofNoOne();
        awaitReason("maxmemory-policy");
        redis.configSet("maxmemory-policy", "volatile-lru");
        Wait.until("it is up", () -> output.getOut().contains("Redis is up"));
        assertThat(output.getOut())
                .containsOnlyOnce("Redis is down: its maxmemory-policy")
                .containsOnlyOnce("Redis is down: this server is a replica");

        redis.replicaof("127.0.0.1", 1);
        awaitReason("is a replica");
        Wait.until(
                "it is named again",
                () -> output.getOut().split("this server is a replica", -1).length == 3);
    }

    @Test
    void aNodeOfAClusterIsNamed() {
        var server = RedisProcess.start("--cluster-enabled", "yes");
        prepare(server, RedisUser.uri(server.uri()));
        link.start();

        awaitReason("Redis Cluster");
        assertThat(link.incarnation()).isEmpty();
    }

    @Test
    void aClusterThatIsDownAsAWholeIsReportedWithTheSettingToChange() {
        var server = RedisProcess.start("--cluster-enabled", "yes");
        prepare(server, server.uri());

        assertThatThrownBy(() -> redis.get("a key of a slot that no node serves"))
                .satisfies(
                        refusal ->
                                assertThat(RedisReason.of(refusal))
                                        .startsWith("CLUSTERDOWN")
                                        .contains("cluster-require-full-coverage no"));
    }

    @Test
    void aWrongPasswordIsReportedWithTheSettingToChange() {
        var server = RedisProcess.start();
        prepare(server, server.uri().replaceFirst("//", "//ovation:wrong@"));
        link.start();

        awaitReason("WRONGPASS");
        assertThat(link.downBecause().orElseThrow())
                .contains("spring.data.redis.password")
                .doesNotContain(":wrong");
    }

    @Test
    void aMissingPasswordIsNamed() {
        var server = RedisProcess.start();
        prepare(server, server.uri());
        redis.aclSetuser("default", AclSetuserArgs.Builder.addPassword("new")); // ends nopass
        link.start();

        awaitReason("NOAUTH");
    }

    @Test
    void aRightThatIsMissingIsNamed() {
        prepare();
        redis.aclSetuser("ovation", AclSetuserArgs.Builder.removeCommand(CommandType.INFO));
        link.start();

        awaitReason("NOPERM");
        assertThat(link.downBecause().orElseThrow()).contains("docker/production/redis.acl");
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        prepare();
        process.kill();
        link.start();

        awaitReason("Connection refused");
        assertThat(link.downBecause().orElseThrow()).contains("" + process.port());
    }

    private void awaitReason(String text) {
        Wait.until(
                "health has the reason",
                () -> link.downBecause().orElse(""),
                why -> why.contains(text));
    }

    /** Number of INFO commands by other clients: two for each look at a replica. */
    private long refusedLooks() {
        asked++;
        return RedisCalls.count(redis, "info") - asked;
    }
}
