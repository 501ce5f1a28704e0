package dev.ovation.hot;

import dev.ovation.entity.SettingBounds;
import dev.ovation.hot.cluster.ClusterClients;
import dev.ovation.hot.filter.FilterFill;
import dev.ovation.hot.filter.WantedFilters;
import dev.ovation.hot.link.RedisAddresses;
import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.SingleServer;
import dev.ovation.hot.load.EntityLoads;
import dev.ovation.hot.load.HotMetrics;
import dev.ovation.hot.load.LoadQueue;
import dev.ovation.hot.load.LoadSettings;
import dev.ovation.hot.load.UserLookups;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.store.snapshot.ReactorPages;
import dev.ovation.store.snapshot.Snapshots;
import dev.ovation.store.snapshot.Snapshots.Wanted;
import dev.ovation.store.snapshot.UserStates;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.micrometer.core.instrument.Gauge;
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

/** Creates the beans of the hot state. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
    HotSettings.HotOptions.class,
    HotSettings.HotConstants.class,
    LoadSettings.class
})
class HotConfiguration {

    private static final int MOST_FLUSHES = 256;

    /** Commands that may wait for Redis, on each connection. */
    private static final int REQUEST_QUEUE = 20_000;

    @Bean
    HotSettings hotSettings(HotSettings.HotOptions bound, HotSettings.HotConstants internal) {
        return new HotSettings(bound, internal);
    }

    /**
     * A command is sent once. It is never replayed after a lost connection, never kept for later
     * while disconnected, and never queued without bound. Announcements of maintenance are off,
     * because with them Lettuce moves connections by itself.
     */
    @Bean
    LettuceClientOptionsBuilderCustomizer sendOnce(HotSettings settings) {
        return options ->
                options.replayFilter(_ -> true)
                        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                        .requestQueueSize(REQUEST_QUEUE)
                        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                        .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
                        .socketOptions(
                                SocketOptions.builder()
                                        .connectTimeout(settings.commandTimeout())
                                        .keepAlive(true)
                                        .build());
    }

    /** The default pauses grow to 30 seconds, during which writes would fail. */
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
     * Commands that requests write at the same time leave in one packet, which Redis reads and
     * answers at once.
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

    @Bean
    static BeanFactoryPostProcessor refusedAddresses(Environment environment) {
        return _ -> RedisAddresses.check(environment);
    }

    @Bean
    Fences fences(@Value("${ovation.partitions:16}") int partitions) {
        SettingBounds.atLeast(1, "ovation.partitions", partitions);
        return new Fences(partitions);
    }

    @Bean
    RedisServers redisServers(
            LettuceConnectionFactory factory, HotSettings settings, Fences fences) {
        var timeout = settings.commandTimeout();
        RedisServers servers =
                factory.isClusterAware()
                        ? ClusterClients.servers(factory, timeout, fences.partitions().count())
                        : new SingleServer(new RedisLink(() -> client(factory), timeout));
        servers.onChange(() -> fences.loseIf((p, fence) -> isElsewhere(servers, p, fence)));
        fences.onLoss(servers::checkSoon);
        return servers;
    }

    private static RedisClient client(LettuceConnectionFactory factory) {
        return (RedisClient) factory.getRequiredNativeClient();
    }

    /** An epoch is of one server. While that cannot be reached, nothing is known of it. */
    private static boolean isElsewhere(RedisServers servers, int p, Fence fence) {
        var link = servers.find(p);
        return servers.isMoving(p)
                || (link != null
                        && link.incarnation()
                                .filter(now -> !now.equals(fence.incarnation()))
                                .isPresent());
    }

    @Bean
    Failpoints failpoints() {
        return Failpoints.NONE;
    }

    @Bean
    StaleEpochSweeper staleEpochSweeper(
            RedisServers servers, HotSettings settings, ScriptTimes times) {
        return new StaleEpochSweeper(servers, settings, times);
    }

    @Bean
    HotUserData hotUserData(RedisServers servers, Fences fences, ScriptTimes times) {
        return new HotUserData(servers, fences, times);
    }

    @Bean
    ScriptTimes scriptTimes(MeterRegistry registry) {
        return new ScriptTimes(registry);
    }

    @Bean
    LoadQueue<Wanted, EntitySnapshot> loadQueue(
            LoadSettings settings, HotSettings hot, Snapshots snapshots, PostgresBulkhead gate) {
        return new LoadQueue<>(
                settings.within(gate.mostRunning()),
                wanted -> gate.ask(() -> snapshots.entities(wanted, hot.completeLimit())));
    }

    @Bean
    HotMetrics hotMetrics(
            MeterRegistry registry,
            RedisServers servers,
            Fences fences,
            LoadQueue<Wanted, EntitySnapshot> queue) {
        return new HotMetrics(registry, servers, fences, queue);
    }

    @Bean
    WantedFilters wantedFilters(MeterRegistry registry) {
        var wanted = new WantedFilters();
        Gauge.builder("ovation.hot.filters.waiting", wanted, WantedFilters::waiting)
                .description("High-cardinality entities that wait for a fill of their filter")
                .register(registry);
        return wanted;
    }

    @Bean
    FilterMetrics filterMetrics(MeterRegistry registry) {
        return new FilterMetrics(registry);
    }

    @Bean
    FilterFill filterFill(
            WantedFilters wanted,
            ReactorPages reactors,
            RedisServers servers,
            Fences fences,
            FilterMetrics metrics,
            ScriptTimes times,
            HotSettings.HotConstants settings) {
        return new FilterFill(
                wanted, reactors, servers, fences, metrics, times, settings.fillFilters());
    }

    @Bean
    HotEntities hotEntities(
            RedisServers servers,
            Fences fences,
            UserStates states,
            PostgresBulkhead gate,
            LoadQueue<Wanted, EntitySnapshot> queue,
            HotSettings settings,
            HotMetrics metrics,
            ScriptTimes times,
            WantedFilters wanted,
            FilterMetrics filters,
            Failpoints failpoints) {
        var lookups =
                new UserLookups(
                        states, gate, servers, settings, metrics, times, failpoints, wanted);
        var loads = new EntityLoads(servers, queue, settings, metrics, times, failpoints);
        return new HotEntities(
                servers, fences, settings, metrics, times, loads, lookups, filters, failpoints);
    }
}
