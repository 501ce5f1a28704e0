package dev.ovation.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.embedded.server.EmbeddedException;
import dev.ovation.embedded.server.EmbeddedPostgres;
import dev.ovation.embedded.server.EmbeddedRedis;
import dev.ovation.testing.Beside;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import redis.embedded.core.ExecutableProvider;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** Settings that switch the embedded servers off, and messages if they are not available. */
@Beside
class SwitchesTest {

    private static final String POSTGRES = "spring.datasource.url=jdbc:postgresql://db.invalid/o";
    private static final String REDIS = "spring.data.redis.url=redis://redis.invalid:6379";

    @TempDir Path folder;

    private final ApplicationContextRunner context =
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(
                                    EmbeddedAutoConfiguration.class,
                                    EmbeddedPostgresAutoConfiguration.class,
                                    EmbeddedRedisAutoConfiguration.class,
                                    DataSourceAutoConfiguration.class,
                                    DataRedisAutoConfiguration.class));

    @Test
    void anAddressOfPostgresSwitchesOnlyTheEmbeddedPostgresOff() {
        inFolder()
                .withPropertyValues(POSTGRES)
                .run(
                        it ->
                                assertThat(it)
                                        .doesNotHaveBean(EmbeddedPostgres.class)
                                        .hasSingleBean(EmbeddedRedis.class));
    }

    @Test
    void anAddressOfRedisSwitchesOnlyTheEmbeddedRedisOff() {
        inFolder()
                .withPropertyValues(REDIS)
                .run(
                        it ->
                                assertThat(it)
                                        .hasSingleBean(EmbeddedPostgres.class)
                                        .doesNotHaveBean(EmbeddedRedis.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.host=redis.invalid",
                "spring.data.redis.port=6380",
                "spring.data.redis.cluster.nodes=a.invalid:1,b.invalid:2",
                "spring.data.redis.cluster.nodes[0]=a.invalid:1",
            })
    void redisCanBeGivenInEachOfSpringsWays(String setting) {
        context.withPropertyValues(POSTGRES, setting)
                .run(it -> assertThat(it).hasNotFailed().doesNotHaveBean(EmbeddedRedis.class));
    }

    @Test
    void aBusyPortIsNamedTogetherWithItsSetting() throws IOException {
        try (var busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = busy.getLocalPort();
            inFolder()
                    .withPropertyValues(POSTGRES, "ovation.embedded.redis-port=" + port)
                    .run(
                            it ->
                                    assertThat(it.getStartupFailure())
                                            .hasStackTraceContaining(
                                                    "Port %d is in use: free it, or set another one with ovation.embedded.redis-port (0: any free one)."
                                                            .formatted(port)));
        }
    }

    @Test
    void withBothAddressesNoDataFolderIsTouched() {
        Path never = folder.resolve("never");
        context.withPropertyValues(POSTGRES, REDIS, "ovation.embedded.directory=" + never)
                .run(it -> assertThat(never).doesNotExist());
    }

    @Test
    void withoutLibrariesAllThatIsMissingIsNamed() {
        packaged()
                .run(
                        it ->
                                assertThat(it.getStartupFailure())
                                        .isInstanceOf(EmbeddedException.class)
                                        .hasMessage(
                                                "This jar brings neither Postgres nor Redis, and has no address of Postgres and Redis: set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD for Postgres, and SPRING_DATA_REDIS_URL for Redis."));
    }

    @Test
    void withoutLibrariesOnlyTheMissingAddressIsNamed() {
        packaged()
                .withPropertyValues(REDIS)
                .run(
                        it ->
                                assertThat(it.getStartupFailure())
                                        .hasMessageContaining("SPRING_DATASOURCE_URL")
                                        .hasMessageNotContaining("SPRING_DATA_REDIS_URL"));
    }

    @Test
    void aBlankAddressIsNone() {
        packaged()
                .withPropertyValues(POSTGRES, "spring.data.redis.url= ")
                .run(
                        it ->
                                assertThat(it.getStartupFailure())
                                        .hasMessageContaining("SPRING_DATA_REDIS_URL"));
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, true",
        "Linux, aarch64, true",
        "Mac OS X, x86_64, true",
        "Mac OS X, aarch64, true",
        "Linux, riscv64, false",
        "Windows 11, amd64, false",
    })
    void theMachinesThatCanEmbedAreKnown(String os, String architecture, boolean supported) {
        assertThat(AddressCheck.isSupported(os, architecture)).isEqualTo(supported);
    }

    private ApplicationContextRunner inFolder() {
        return context.withPropertyValues("ovation.embedded.directory=" + folder);
    }

    private ApplicationContextRunner packaged() {
        return context.withClassLoader(
                new FilteredClassLoader(
                        DefaultPostgresBinaryResolver.class, ExecutableProvider.class));
    }
}
