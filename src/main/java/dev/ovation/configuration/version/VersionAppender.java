package dev.ovation.configuration.version;

import dev.ovation.configuration.version.ConfigurationMetrics.Failure;
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

/** Stores versions. A failure of Postgres is counted. */
@Component
public final class VersionAppender {

    private final ConfigurationTable table;
    private final ConfigurationMetrics metrics;

    VersionAppender(ConfigurationTable table, ConfigurationMetrics metrics) {
        this.table = table;
        this.metrics = metrics;
    }

    /** Returns the number of the newest version; 0 when there is none. */
    public long newest() {
        return table.newestVersion();
    }

    /** Returns whether a configuration was never in force. */
    public boolean isNew(LoadedConfiguration loaded) {
        return !table.exists(loaded.hash(), ConfigurationTable.ADDITION);
    }

    /**
     * Stores the version after {@code last}.
     *
     * @param principal the name of the caller; null for a start of the service
     * @return its number; empty when another version follows {@code last} already
     */
    public Optional<Long> append(
            LoadedConfiguration loaded, String source, @Nullable String principal, long last) {
        try {
            return table.append(draft(loaded, source, principal), last);
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
        configuration.seasonal().forEach(each -> spellings.put(each.key(), each.reaction().id()));
        for (ReactionDefinition reaction : configuration.reactions()) {
            spellings.put(ReactionKey.of(reaction.id()), reaction.id());
        }
        return spellings;
    }
}
