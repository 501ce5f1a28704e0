package dev.ovation.configuration;

import dev.ovation.configuration.ConfigurationMetrics.Failure;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.rules.reader.InvalidConfigurationException;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StartStep;
import dev.ovation.store.ConfigurationTable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts configurations in force. A start applies the files only if they were never in force before,
 * so that an instance with older files undoes nothing. A request of an operator always applies
 * them.
 */
@Service
class ConfigurationUpdater implements StartStep {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationUpdater.class);
    private static final Duration ANNOUNCING = Duration.ofSeconds(5);

    private final CurrentRules rules;
    private final ConfigurationTable table;
    private final VersionPublisher publisher;
    private final ConfigurationMetrics metrics;
    private final Path directory;
    private volatile long announced;
    private volatile String hashOfFiles = "";

    ConfigurationUpdater(
            CurrentRules rules,
            ConfigurationTable table,
            VersionPublisher publisher,
            ConfigurationMetrics metrics,
            @Value("${ovation.config-dir}") Path directory) {
        this.rules = rules;
        this.table = table;
        this.publisher = publisher;
        this.metrics = metrics;
        this.directory = directory;
    }

    /**
     * Result of applying a configuration.
     *
     * @param version the version in force
     * @param changes the differences from the version before, a sentence each
     * @param announced whether every partition has the version; if not, it will once Redis answers
     */
    public record Applied(long version, List<String> changes, boolean announced) {}

    /** Returns whether the files, as last read here, differ from the rules in force. */
    boolean filesDiffer() {
        return !hashOfFiles.equals(rules.current().hash());
    }

    Path directory() {
        return directory;
    }

    /** Applies the files if they were never in force; otherwise adopts the newest version. */
    @Override
    public void start() {
        try {
            LoadedConfiguration files = readFiles();
            if (append(files, "files in " + directory, true).isPresent()) {
                LOG.info("The files in {} are in force from now on", directory);
            }
        } catch (InvalidConfigurationException e) {
            metrics.failed(Failure.INVALID);
            if (table.newestVersion() == 0) {
                throw e;
            }
            LOG.warn(
                    "The files are invalid, the stored version stays in force: {}", e.getMessage());
        }
        rules.catchUpNow();
        if (filesDiffer()) {
            LOG.warn(
                    "The files in {} are not in force: version {} from {} is; POST /actuator/refresh applies them",
                    directory,
                    rules.current().version(),
                    rules.current().source());
        }
    }

    @Override
    public int getPhase() {
        return StartPhase.CONFIGURATION;
    }

    /**
     * Reads the files again and puts them in force.
     *
     * @throws InvalidConfigurationException when they are invalid; then the old rules stay in force
     */
    public Applied applyFiles() {
        try {
            return apply(readFiles(), "files in " + directory);
        } catch (InvalidConfigurationException e) {
            metrics.failed(Failure.INVALID);
            throw e;
        }
    }

    /** Counts a configuration of the API that is invalid. */
    void refused() {
        metrics.failed(Failure.INVALID);
    }

    private LoadedConfiguration readFiles() {
        hashOfFiles = "";
        var files = ConfigurationFiles.read(directory);
        hashOfFiles = files.hash();
        return files;
    }

    /** Puts a configuration in force, also one that was in force before; returns when it is. */
    public Applied apply(LoadedConfiguration loaded, String source) {
        rules.catchUpNow();
        var before = rules.current();
        long version = before.version();
        if (!loaded.hash().equals(before.hash())) {
            version = append(loaded, source, false).orElse(version);
        }
        boolean told = isInForce(version);
        var differences = RuleSet.diff(before.configuration(), rules.current().configuration());
        return new Applied(version, differences, told);
    }

    /** The version is stored from here on; a later failure does not undo it. */
    private boolean isInForce(long version) {
        try {
            rules.catchUpNow();
            return rules.current().version() >= version && announce();
        } catch (DataAccessException e) {
            metrics.failed(Failure.UNANNOUNCED);
            return false;
        }
    }

    private Optional<Long> append(LoadedConfiguration loaded, String source, boolean onlyNew) {
        try {
            return table.append(
                    source,
                    loaded.hash(),
                    loaded.configuration().toJson(),
                    spellings(loaded.configuration()),
                    onlyNew);
        } catch (RuntimeException e) {
            metrics.failed(Failure.STORE);
            throw e;
        }
    }

    /** Publishes the current version to the partitions until all have it. */
    private boolean announce() {
        long version = rules.current().version();
        boolean told = publisher.publish(version, ANNOUNCING);
        if (told) {
            announced = version;
        } else {
            metrics.failed(Failure.UNANNOUNCED);
        }
        return told;
    }

    /** Adopts versions of other instances, and repeats publications that failed. */
    @Scheduled(fixedDelay = 1000)
    void follow() {
        try {
            rules.catchUp(rules.current().version());
            long version = rules.current().version();
            if (announced != version && publisher.publish(version, Duration.ZERO)) {
                announced = version;
            }
        } catch (RuntimeException e) {
            LOG.debug("Changes of the configuration cannot be read: {}", e.getMessage());
        }
    }

    private static Map<String, String> spellings(RuleSet configuration) {
        var spellings = new HashMap<String, String>();
        for (ReactionDefinition reaction : configuration.reactions()) {
            spellings.put(ReactionKey.of(reaction.id()), reaction.id());
        }
        return spellings;
    }
}
