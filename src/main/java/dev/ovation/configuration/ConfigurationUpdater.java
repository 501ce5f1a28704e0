package dev.ovation.configuration;

import dev.ovation.configuration.ConfigurationMetrics.Failure;
import dev.ovation.configuration.change.AppliedChange;
import dev.ovation.configuration.change.Impact;
import dev.ovation.configuration.change.Impacts;
import dev.ovation.configuration.change.RequestedChange;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.rules.reader.InvalidConfigurationException;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StartStep;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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

    /** One of the changes that meet comes first each time. */
    private static final int ATTEMPTS = 20;

    private final CurrentRules rules;
    private final VersionAppender versions;
    private final VersionPublisher publisher;
    private final ConfigurationMetrics metrics;
    private final Impacts impacts;
    private final Path directory;
    private volatile long announced;
    private volatile String hashOfFiles = "";

    ConfigurationUpdater(
            CurrentRules rules,
            VersionAppender versions,
            VersionPublisher publisher,
            ConfigurationMetrics metrics,
            Impacts impacts,
            @Value("${ovation.config-dir}") Path directory) {
        this.rules = rules;
        this.versions = versions;
        this.publisher = publisher;
        this.metrics = metrics;
        this.impacts = impacts;
        this.directory = directory;
    }

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
            adoptNew(readFiles());
        } catch (InvalidConfigurationException e) {
            metrics.failed(Failure.INVALID);
            if (versions.newest() == 0) {
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

    /** Puts files in force that never were; another instance may do so at the same time. */
    private void adoptNew(LoadedConfiguration files) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Replaced replaced = replaced();
            if (!replaced.isReadable() || !versions.isNew(files) || !isSafe(files)) {
                return;
            }
            LoadedConfiguration next = withSeasonal(files, replaced.rules);
            if (versions.append(next, sourceOfFiles(), null, replaced.newest).isPresent()) {
                LOG.info("The files in {} are in force from now on", directory);
                return;
            }
        }
        LOG.warn("The files in {} are not in force: other changes came first", directory);
    }

    /** Returns whether no namespace that holds reactions would vanish. */
    private boolean isSafe(LoadedConfiguration files) {
        List<String> lost = impacts.lost(rules.current().configuration(), files.configuration());
        if (!lost.isEmpty()) {
            LOG.warn(
                    "The files in {} lack namespaces that hold reactions: {};"
                            + " POST /actuator/refresh?accept_loss=true applies them",
                    directory,
                    lost);
        }
        return lost.isEmpty();
    }

    @Override
    public int getPhase() {
        return StartPhase.CONFIGURATION;
    }

    /**
     * Reads the files again and puts them in force, see {@link #apply}.
     *
     * @throws InvalidConfigurationException when they are invalid; then the old rules stay in force
     */
    AppliedChange applyFiles(RequestedChange change) {
        try {
            return apply(readFiles(), sourceOfFiles(), change);
        } catch (InvalidConfigurationException e) {
            metrics.failed(Failure.INVALID);
            throw e;
        }
    }

    private String sourceOfFiles() {
        return "files in " + directory;
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

    /**
     * Puts a configuration in force, also one that was in force before, with the seasonal reactions
     * beside the version before it.
     *
     * @param source description of its source, for people
     * @throws ProblemException as {@link #replace}
     */
    AppliedChange apply(LoadedConfiguration loaded, String source, RequestedChange change) {
        return replace(before -> withSeasonal(loaded, before), source, change);
    }

    /**
     * Puts the rules of an earlier version in force, with its own seasonal reactions.
     *
     * @throws ProblemException as {@link #replace}
     */
    AppliedChange putBack(LoadedConfiguration version, String source, RequestedChange change) {
        return replace(_ -> version, source, change);
    }

    /**
     * Edits the rules in force.
     *
     * @param edit receives the rules in force; returns the same object to change nothing
     * @throws ProblemException as {@link #replace}, and those of the edit
     */
    public AppliedChange edit(UnaryOperator<RuleSet> edit, String source, RequestedChange change) {
        return replace(
                before -> hashed(edit.apply(before.configuration()), before.sourceHash()),
                source,
                change);
    }

    /**
     * Puts other rules in force; returns when they are. The change is compared with the version
     * before it, whichever that is: it begins anew when another change comes first.
     *
     * @throws ProblemException 412 when another version is in force than the request names, 409
     *     when a namespace that holds reactions would vanish, 503 when this program cannot read the
     *     version in force
     */
    private AppliedChange replace(
            Function<RulesInForce, LoadedConfiguration> change,
            String source,
            RequestedChange asked) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Replaced replaced = replaced();
            RulesInForce before = replaced.rules;
            asked.check(replaced.newest);
            if (!replaced.isReadable() && !asked.acceptLoss()) {
                throw Problems.unavailable(
                        "this release cannot read version %d, which is in force; accept_loss=true replaces it"
                                .formatted(replaced.newest),
                        Duration.ofSeconds(1));
            }
            LoadedConfiguration loaded = change.apply(before);
            RuleSet next = loaded.configuration();
            var impact = impacts.of(before.configuration(), next, before::spelling);
            var differences = RuleSet.diff(before.configuration(), next);
            if (asked.dryRun()) {
                return new AppliedChange(before.version(), differences, impact, true);
            }
            List<String> lost =
                    impact.stream()
                            .filter(Impact::losesNamespace)
                            .map(Impact::namespaceId)
                            .toList();
            if (!lost.isEmpty() && !asked.acceptLoss()) {
                throw Problems.configurationLosesData(
                        lost, impact.stream().map(Impact::json).toList());
            }
            boolean same = replaced.isReadable() && loaded.hash().equals(before.hash());
            Optional<Long> version =
                    same
                            ? Optional.of(before.version())
                            : versions.append(loaded, source, asked.principal(), replaced.newest);
            if (version.isPresent()) {
                boolean isPublished = isInForce(version.get());
                return new AppliedChange(version.get(), differences, impact, isPublished);
            }
        }
        throw Problems.unavailable("other changes came first", Duration.ofSeconds(1));
    }

    /**
     * The rules that a change replaces.
     *
     * @param newest number of the newest version: above that of the rules when this program cannot
     *     read it
     */
    private record Replaced(RulesInForce rules, long newest) {

        boolean isReadable() {
            return newest == rules.version();
        }
    }

    private Replaced replaced() {
        long newest = versions.newest();
        rules.catchUpNow();
        RulesInForce current = rules.current();
        return new Replaced(current, Math.max(newest, current.version()));
    }

    private static LoadedConfiguration withSeasonal(
            LoadedConfiguration loaded, RulesInForce before) {
        return hashed(
                loaded.configuration().withSeasonal(before.configuration().seasonal()),
                loaded.hash());
    }

    private static LoadedConfiguration hashed(RuleSet rules, String sourceHash) {
        return new LoadedConfiguration(rules, RulesInForce.hash(sourceHash, rules));
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

    /** Publishes the current version to the partitions until all have it. */
    private boolean announce() {
        long version = rules.current().version();
        boolean isPublished = publisher.publish(version, ANNOUNCING);
        if (isPublished) {
            announced = version;
        } else {
            metrics.failed(Failure.UNANNOUNCED);
        }
        return isPublished;
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
}
