package dev.ovation.store;

import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.Collection;
import java.util.List;

/** The shipped table, in which the epoch of each locked row has a fixed age. */
public final class AgedPartitions extends PartitionTable {

    private final long ageMillis;

    public AgedPartitions(JdbcTemplate jdbc, long ageMillis) {
        super(jdbc, Shards.undivided());
        this.ageMillis = ageMillis;
    }

    @Override
    public List<PartitionRow> lock(Collection<Integer> partitions) {
        return super.lock(partitions).stream().map(this::aged).toList();
    }

    private PartitionRow aged(PartitionRow row) {
        return new PartitionRow(
                row.p(),
                row.epoch(),
                row.incarnation(),
                ageMillis,
                row.appliedSeq(),
                row.appliedOp());
    }
}
