package dev.ovation.outbox;

import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.watermark.WatermarkTopic;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StartStep;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.shard.Shards;

/**
 * Makes sure that Postgres has the partitions of the settings, and opens the topic of its
 * deployment. It holds no bean with a later phase, because a bean starts after those it holds.
 */
final class OutboxStart implements StartStep {

    private final Fences fences;
    private final PartitionTable partitions;
    private final Shards shards;
    private final WatermarkTopic topic;
    private final int redisDatabase;

    OutboxStart(
            Fences fences,
            PartitionTable partitions,
            Shards shards,
            WatermarkTopic topic,
            int redisDatabase) {
        this.fences = fences;
        this.shards = shards;
        this.partitions = partitions;
        this.topic = topic;
        this.redisDatabase = redisDatabase;
    }

    @Override
    public void start() {
        partitions.initialise(fences.partitions().count());
        shards.read(fences.partitions().count());
        topic.open(partitions.deployment() + ":" + redisDatabase);
    }

    @Override
    public int getPhase() {
        return StartPhase.PARTITIONS;
    }
}
