package dev.ovation.hot;

import dev.ovation.hot.script.InstallUsersScript;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Puts the hot state together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HotSettings.class)
class HotConfiguration {

    /**
     * A command is sent once: never replayed after a lost connection, never kept for later while
     * disconnected, never queued without bound.
     */
    @Bean
    LettuceClientOptionsBuilderCustomizer sendOnce(HotSettings settings) {
        return options ->
                options.replayFilter(_ -> true)
                        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                        .requestQueueSize(settings.queue())
                        .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
                        .socketOptions(
                                SocketOptions.builder()
                                        .connectTimeout(settings.commandTimeout())
                                        .keepAlive(true)
                                        .build());
    }

    @Bean
    Fences fences(@Value("${ovation.partitions:64}") int partitions) {
        return new Fences(partitions);
    }

    @Bean(initMethod = "start")
    RedisLink redisLink(LettuceConnectionFactory factory, HotSettings settings, Fences fences) {
        if (!(factory.getRequiredNativeClient() instanceof RedisClient client)) {
            throw new IllegalStateException("Redis Cluster is not supported yet");
        }
        var link = new RedisLink(client, settings.commandTimeout());
        link.onChange(() -> link.incarnation().ifPresent(fences::loseOthers));
        return link;
    }

    @Bean
    OldMarks oldMarks(RedisLink link, HotSettings settings) {
        return new OldMarks(link, settings);
    }

    @Bean
    HotMetrics hotMetrics(MeterRegistry registry, RedisLink link, Fences fences) {
        return new HotMetrics(registry, link, fences);
    }

    @Bean
    HotEntities hotEntities(
            RedisLink link,
            Fences fences,
            Snapshots snapshots,
            PostgresGate gate,
            HotSettings settings,
            HotMetrics metrics) {
        var lookups =
                new UserLookups(snapshots, gate, link, new InstallUsersScript(settings), metrics);
        return new HotEntities(link, fences, snapshots, gate, settings, metrics, lookups);
    }
}
