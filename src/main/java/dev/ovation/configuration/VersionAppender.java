package dev.ovation.configuration;

import dev.ovation.configuration.ConfigurationMetrics.Failure;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.ConfigurationTable.Draft;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Stores versions. A failure of Postgres is counted. */
@Component
final class VersionAppender {

    private final ConfigurationTable table;
    private final ConfigurationMetrics metrics;

    VersionAppender(ConfigurationTable table, ConfigurationMetrics metrics) {
        this.table = table;
        this.metrics = metrics;
    }

    /** Returns the number of the newest version; 0 when there is none. */
    long newest() {
        return table.newestVersion();
    }

    /** Returns whether a configuration was never in force. */
    boolean isNew(LoadedConfiguration loaded) {
        return !table.existsByHash(loaded.hash());
    }

    /**
     * Stores a configuration that was never in force.
     *
     * @return its version; empty when it was in force once
     */
    Optional<Long> appendNew(LoadedConfiguration loaded, String source) {
        return counted(() -> table.appendNew(draft(loaded, source, null)));
    }

    /**
     * Stores the version after {@code last}.
     *
     * @param principal the name of the caller
     * @return its number; empty when another version follows {@code last} already
     */
    Optional<Long> append(LoadedConfiguration loaded, String source, String principal, long last) {
        return counted(() -> table.append(draft(loaded, source, principal), last));
    }

    private Optional<Long> counted(Supplier<Optional<Long>> append) {
        try {
            return append.get();
        } catch (RuntimeException e) {
            metrics.failed(Failure.STORE);
            throw e;
        }
    }

    private static Draft draft(
            LoadedConfiguration loaded, String source, @Nullable String principal) {
        return new Draft(
                source,
                loaded.hash(),
                loaded.configuration().toJson(),
                spellings(loaded.configuration()),
                principal);
    }

    private static Map<String, String> spellings(RuleSet configuration) {
        var spellings = new HashMap<String, String>();
        for (ReactionDefinition reaction : configuration.reactions()) {
            spellings.put(ReactionKey.of(reaction.id()), reaction.id());
        }
        return spellings;
    }
}
