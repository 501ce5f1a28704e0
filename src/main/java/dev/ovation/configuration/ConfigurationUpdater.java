package dev.ovation.configuration;

import dev.ovation.configuration.ConfigurationMetrics.Failure;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.SeasonalReaction;
import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.rules.reader.InvalidConfigurationException;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StartStep;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.ConfigurationTable.Draft;
import dev.ovation.store.ConfigurationTable.Version;
import dev.ovation.web.http.ContentHash;
import dev.ovation.web.http.Json;

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
import java.util.function.UnaryOperator;

/**
 * Puts configurations in force. Each keeps the seasonal reactions that were added beside the one
 * before. A start applies the files only if they were never in force before, so that an instance
 * with older files undoes nothing. A request of an operator always applies them.
 */
@Service
public class ConfigurationUpdater implements StartStep {

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
        return !hashOfFiles.equals(rules.current().sourceHash());
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
        if (!loaded.hash().equals(before.sourceHash())) {
            version = append(loaded, source, false).orElse(version);
        }
        return applied(before, version);
    }

    /**
     * Changes the rules in force; returns when the change is in force.
     *
     * @param change receives the newest rules, which no other change replaces meanwhile; returns
     *     them when there is nothing to change
     * @throws dev.ovation.web.problem.ProblemException when the change refuses, or is stored but
     *     not yet known to every partition
     */
    public Applied change(UnaryOperator<RuleSet> change, String source) {
        rules.catchUpNow();
        var before = rules.current();
        Optional<Long> version =
                table.appendTo(
                        newest -> {
                            Version old = newest.orElseThrow();
                            RuleSet current = RuleSet.fromJson(old.content());
                            RuleSet next = change.apply(current);
                            String hash = RulesInForce.sourceHash(old.hash());
                            return next == current ? null : draft(source, hash, next);
                        });
        Applied applied = applied(before, version.orElse(before.version()));
        ConfigurationController.check(applied);
        return applied;
    }

    private Applied applied(RulesInForce before, long version) {
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
            return table.appendTo(
                    newest ->
                            onlyNew && table.exists(loaded.hash(), ConfigurationTable.ADDITION)
                                    ? null
                                    : draft(
                                            source,
                                            loaded.hash(),
                                            loaded.configuration().withSeasonal(seasonal(newest))));
        } catch (RuntimeException e) {
            metrics.failed(Failure.STORE);
            throw e;
        }
    }

    /** Returns the seasonal reactions of a version; none when this program cannot read it. */
    private List<SeasonalReaction> seasonal(Optional<Version> newest) {
        try {
            return newest.map(each -> RuleSet.fromJson(each.content()).seasonal())
                    .orElse(List.of());
        } catch (IllegalArgumentException e) {
            metrics.failed(Failure.UNREADABLE);
            LOG.error("The seasonal reactions of the newest version cannot be read here", e);
            return List.of();
        }
    }

    private static Draft draft(String source, String hash, RuleSet content) {
        String addition =
                content.seasonal().isEmpty()
                        ? ""
                        : ConfigurationTable.ADDITION
                                + ContentHash.of(Json.bytes(content.seasonal()));
        return new Draft(source, hash + addition, content.toJson(), spellings(content));
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
        configuration.seasonal().forEach(each -> spellings.put(each.key(), each.reaction().id()));
        for (ReactionDefinition reaction : configuration.reactions()) {
            spellings.put(ReactionKey.of(reaction.id()), reaction.id());
        }
        return spellings;
    }
}
