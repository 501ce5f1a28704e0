package dev.ovation.outbox.watermark;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.outbox.batch.RelayTransaction;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * The channel of watermark updates between instances. All databases of a Redis server share their
 * channels. Therefore the name of this one contains the name of the deployment, created with its
 * Postgres, and the number of the Redis database, because a Postgres may be a copy. Otherwise an
 * instance would accept the updates of another deployment.
 */
public final class WatermarkTopic {

    private final RedisServers servers;
    private Consumer<WatermarkUpdate> listener = _ -> {};
    private Runnable begun = () -> {};
    private volatile String name = "";

    /** Creates the channel on the relay's connection. */
    public WatermarkTopic(RedisServers servers) {
        this.servers = servers;
    }

    /**
     * Sets the listener to the other instances; before {@link #open}.
     *
     * @param begun runs after each start of the subscription, because earlier messages were missed
     */
    public void listen(Consumer<WatermarkUpdate> listener, Runnable begun) {
        this.listener = listener;
        this.begun = begun;
    }

    /** Opens the channel for one deployment on one Redis database; before the first update. */
    public void open(String deployment) {
        name = "ovation:cursors:" + deployment;
        servers.subscribe(name, message -> WatermarkUpdate.read(message).forEach(listener), begun);
    }

    /** Sends committed results to all instances, this one included. */
    public void publish(List<RelayTransaction.PartitionResult> results) {
        send(WatermarkUpdate.of(results));
    }

    /**
     * Sends which entities a committed change of rows has changed, without a new watermark.
     *
     * @param at result of the transaction that made the change
     */
    public void publishChanged(RelayTransaction.PartitionResult at, Collection<EntityKey> changed) {
        long to = at.to();
        long epoch = at.slice().fence().epoch();
        send(List.of(new WatermarkUpdate(at.slice().p(), epoch, to, to, List.of(), changed)));
    }

    private void send(List<WatermarkUpdate> news) {
        if (!news.isEmpty()) {
            servers.publish(name, WatermarkUpdate.write(news));
        }
    }
}
