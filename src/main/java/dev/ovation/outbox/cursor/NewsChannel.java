package dev.ovation.outbox.cursor;

import dev.ovation.hot.RedisLink;
import dev.ovation.outbox.batch.Batch;

import java.util.List;
import java.util.function.Consumer;

/**
 * Where instances tell each other of cursors. Channels are shared by all databases of a Redis
 * server, so this one bears the name of the deployment, made with its Postgres, and the number of
 * the Redis database (a Postgres may be a copy): news of another one would be believed.
 */
public final class NewsChannel {

    private final RedisLink link;
    private final String name;

    /** On the connection of the relay, for one deployment on one Redis database. */
    public NewsChannel(RedisLink link, String deployment) {
        this.link = link;
        this.name = "ovation:cursors:" + deployment;
    }

    /** Tells the others of committed results. */
    public void publish(List<Batch.Result> results) {
        List<CursorNews> news = CursorNews.of(results);
        if (!news.isEmpty()) {
            var _ = link.relay().publish(name, CursorNews.write(news));
        }
    }

    /**
     * Listens to the others.
     *
     * @param begun is told after each beginning: what was said before was missed
     */
    public void listen(Consumer<CursorNews> listener, Runnable begun) {
        link.subscribe(name, message -> CursorNews.read(message).forEach(listener), begun);
    }
}
