package dev.ovation.transfer;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.store.replica.ReadKind;
import dev.ovation.store.replica.ReplicaReader;
import dev.ovation.store.replica.ReplicaReads;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Begins exports. An export has all that was committed before it began: pages come from the primary
 * until the replica has that, too. The rows of one user are read from the primary.
 */
final class ExportSource {

    private final ReplicaReads reads;
    private final ReplicaReader<JdbcTemplate> reader;
    private final CurrentRules rules;
    private final Shards shards;

    ExportSource(ReplicaReads reads, CurrentRules rules, Shards shards) {
        this.reads = reads;
        this.reader = reads.reader(ReadKind.EXPORT, jdbc -> jdbc);
        this.rules = rules;
        this.shards = shards;
    }

    /**
     * Begins an export.
     *
     * @param user the only user whose rows it will have; null for all
     */
    Exports begin(@Nullable String user) {
        boolean isOwn = user != null;
        var from = isOwn ? null : reads.awaitPosition();
        return new Exports(new Pages(reader, isOwn, from), rules, shards);
    }
}
