package dev.ovation.hot;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.SingleServer;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.Wait;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.sync.RedisCommands;

import java.time.Duration;
import java.util.Map;

/** A real Redis with partition 0 at epoch 5, and a link to it that is up. */
public final class LinkedRedis implements AutoCloseable {

    public final RedisProcess process = RedisProcess.start();
    public final RedisCommands<String, String> commands;
    public final RedisLink link;
    public final RedisServers servers;
    public final Fence fence;
    private final RedisClient client;
    private final RedisClient patient;

    /**
     * Starts it.
     *
     * @param timeout of commands of the link; {@link #commands} have Lettuce's own
     */
    public LinkedRedis(Duration timeout) {
        patient = RedisClient.create(process.uri());
        commands = patient.connect().sync();
        client = RedisClient.create(process.uri());
        client.setOptions(
                ClientOptions.builder().timeoutOptions(TimeoutOptions.enabled(timeout)).build());
        link = new RedisLink(() -> client, timeout);
        servers = new SingleServer(link);
        link.start();
        Wait.until("it is up", () -> link.incarnation().isPresent());
        fence = new Fence(5, link.incarnation().orElseThrow());
        commands.hset(
                RedisSchema.meta(0),
                Map.of("epoch", "5", "incarnation", fence.incarnation(), "seq", "0"));
    }

    @Override
    public void close() {
        link.stop();
        client.shutdown();
        patient.shutdown();
        process.close();
    }
}
