package dev.ovation.outbox.watermark;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.outbox.batch.RelayTransaction;

import java.util.List;
import java.util.function.Consumer;

/**
 * The channel of watermark updates between instances. All databases of a Redis server share their
 * channels. Therefore the name of this one contains the name of the deployment, created with its
 * Postgres, and the number of the Redis database, because a Postgres may be a copy. Otherwise an
 * instance would accept the updates of another deployment.
 */
public final class WatermarkTopic {

    private final RedisLink link;
    private Consumer<WatermarkUpdate> listener = _ -> {};
    private Runnable begun = () -> {};
    private volatile String name = "";

    /** Creates the channel on the relay's connection. */
    public WatermarkTopic(RedisLink link) {
        this.link = link;
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
        link.subscribe(name, message -> WatermarkUpdate.read(message).forEach(listener), begun);
    }

    /** Sends committed results to the other instances. */
    public void publish(List<RelayTransaction.PartitionResult> results) {
        List<WatermarkUpdate> news = WatermarkUpdate.of(results);
        if (!news.isEmpty()) {
            var _ = link.relay().publish(name, WatermarkUpdate.write(news));
        }
    }
}
