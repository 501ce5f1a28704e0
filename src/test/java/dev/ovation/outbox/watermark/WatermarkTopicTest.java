package dev.ovation.outbox.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.SingleServer;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.Wait;

import io.lettuce.core.RedisClient;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

class WatermarkTopicTest {

    @Test
    void onlyUpdatesOfTheOwnDeploymentAreReceived() {
        try (var redis = RedisProcess.start();
                var client = RedisClient.create(redis.uri());
                var other = client.connect()) {
            var link = new RedisLink(() -> client, Duration.ofSeconds(10));
            var heard = new CopyOnWriteArrayList<WatermarkUpdate>();
            var begun = new AtomicBoolean();
            var topic = new WatermarkTopic(new SingleServer(link));
            topic.listen(heard::add, () -> begun.set(true));
            topic.open("ours");
            link.start();
            try {
                Wait.until("it listens", begun::get);
                var news = new WatermarkUpdate(7, 3, 40, 41, List.of(41L), List.of());
                other.sync()
                        .publish("ovation:cursors:theirs", WatermarkUpdate.write(List.of(news)));
                other.sync().publish("ovation:cursors", WatermarkUpdate.write(List.of(news)));
                var own = new WatermarkUpdate(7, 3, 41, 42, List.of(), List.of());
                other.sync().publish("ovation:cursors:ours", WatermarkUpdate.write(List.of(own)));

                Wait.until("an update arrives", () -> !heard.isEmpty());
                assertThat(heard).containsExactly(own);
            } finally {
                link.stop();
            }
        }
    }
}
