package dev.ovation.hot;

import dev.ovation.store.EntitySnapshot;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;
import dev.ovation.store.Snapshots.Wanted;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Puts the hot state together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({HotSettings.class, LoadSettings.class})
class HotConfiguration {

    private static final int MOST_FLUSHES = 256;

    /**
     * A command is sent once: never replayed after a lost connection, never kept for later while
     * disconnected, never queued without bound. No server is asked to announce maintenance: Lettuce
     * would then move connections by itself.
     */
    @Bean
    LettuceClientOptionsBuilderCustomizer sendOnce(HotSettings settings) {
        return options ->
                options.replayFilter(_ -> true)
                        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                        .requestQueueSize(settings.queue())
                        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                        .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
                        .socketOptions(
                                SocketOptions.builder()
                                        .connectTimeout(settings.commandTimeout())
                                        .keepAlive(true)
                                        .build());
    }

    /** By default the pauses would grow to half a minute, during which nothing can be written. */
    @Bean
    ClientResourcesBuilderCustomizer reconnectSoon() {
        return resources ->
                resources.reconnectDelay(
                        Delay.fullJitter(
                                Duration.ofMillis(20),
                                Duration.ofMillis(200),
                                50,
                                TimeUnit.MILLISECONDS));
    }

    /**
     * What many requests write meanwhile leaves in one packet, which Redis reads and answers at
     * once.
     */
    @Bean
    ClientResourcesBuilderCustomizer flushTogether() {
        return resources ->
                resources.nettyCustomizer(
                        new NettyCustomizer() {
                            @Override
                            public void afterChannelInitialized(Channel channel) {
                                channel.pipeline()
                                        .addFirst(
                                                new FlushConsolidationHandler(MOST_FLUSHES, true));
                            }
                        });
    }

    /**
     * Commands are sent by Lettuce itself; Spring's templates are made for whoever asks for one.
     */
    @Bean
    static BeanFactoryPostProcessor lazyTemplates() {
        return beans ->
                Stream.of("redisTemplate", "stringRedisTemplate")
                        .filter(beans::containsBeanDefinition)
                        .forEach(name -> beans.getBeanDefinition(name).setLazyInit(true));
    }

    @Bean
    static BeanFactoryPostProcessor refusedAddresses(Environment environment) {
        return _ -> RedisAddresses.check(environment);
    }

    @Bean
    Fences fences(@Value("${ovation.partitions:64}") int partitions) {
        return new Fences(partitions);
    }

    @Bean
    RedisLink redisLink(LettuceConnectionFactory factory, HotSettings settings, Fences fences) {
        var link = new RedisLink(() -> client(factory), settings.commandTimeout());
        link.onChange(() -> link.incarnation().ifPresent(fences::loseOthers));
        return link;
    }

    private static RedisClient client(LettuceConnectionFactory factory) {
        if (factory.getRequiredNativeClient() instanceof RedisClient client) {
            return client;
        }
        throw new IllegalStateException(RedisServer.NO_CLUSTER);
    }

    @Bean
    Failpoints failpoints() {
        return Failpoints.NONE;
    }

    @Bean
    OldMarks oldMarks(RedisLink link, HotSettings settings, ScriptTimes times) {
        return new OldMarks(link, settings, times);
    }

    @Bean
    UserTraces userTraces(RedisLink link, Fences fences, ScriptTimes times) {
        return new UserTraces(link, fences, times);
    }

    @Bean
    ScriptTimes scriptTimes(MeterRegistry registry) {
        return new ScriptTimes(registry);
    }

    @Bean
    LoadQueue<Wanted, EntitySnapshot> loadQueue(
            LoadSettings settings, HotSettings hot, Snapshots snapshots, PostgresGate gate) {
        return new LoadQueue<>(
                settings, wanted -> gate.ask(() -> snapshots.entities(wanted, hot.crowd())));
    }

    @Bean
    HotMetrics hotMetrics(
            MeterRegistry registry,
            RedisLink link,
            Fences fences,
            LoadQueue<Wanted, EntitySnapshot> queue) {
        return new HotMetrics(registry, link, fences, queue);
    }

    @Bean
    HotEntities hotEntities(
            RedisLink link,
            Fences fences,
            Snapshots snapshots,
            PostgresGate gate,
            LoadQueue<Wanted, EntitySnapshot> queue,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            Failpoints failpoints) {
        var lookups = new UserLookups(snapshots, gate, link, settings, metrics, times, failpoints);
        var loads = new EntityLoads(link, queue, settings, metrics, times, failpoints);
        return new HotEntities(link, fences, settings, metrics, times, loads, lookups, failpoints);
    }
}
