package dev.ovation.configuration;

import dev.ovation.configuration.change.AppliedChange;
import dev.ovation.configuration.change.Impacts;
import dev.ovation.configuration.change.RequestedChange;
import dev.ovation.configuration.version.ConfigurationMetrics;
import dev.ovation.configuration.version.ConfigurationMetrics.Failure;
import dev.ovation.configuration.version.VersionAppender;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.rules.reader.InvalidConfigurationException;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.start.StartPhase;
import dev.ovation.start.StartStep;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Puts configurations in force. Each keeps the seasonal reactions that were added beside the one
 * before. A start applies the files only if they were never in force before, so that an instance
 * with older files undoes nothing. A request of an operator always applies them.
 */
@Service
public class ConfigurationUpdater implements StartStep {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationUpdater.class);
    private final CurrentRules rules;
    private final VersionAppender versions;
    private final VersionReplacer replacer;
    private final ConfigurationMetrics metrics;
    private final Impacts impacts;
    private final Path directory;
    private volatile String hashOfFiles = "";

    ConfigurationUpdater(
            CurrentRules rules,
            VersionAppender versions,
            VersionReplacer replacer,
            ConfigurationMetrics metrics,
            Impacts impacts,
            @Value("${ovation.config-dir}") Path directory) {
        this.rules = rules;
        this.versions = versions;
        this.replacer = replacer;
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
        for (int attempt = 0; attempt < VersionReplacer.ATTEMPTS; attempt++) {
            VersionReplacer.Replaced replaced = replacer.replaced();
            if (!replaced.isReadable() || !versions.isNew(files) || !isSafe(files)) {
                return;
            }
            LoadedConfiguration next = withSeasonal(files, replaced.rules());
            if (versions.append(next, sourceOfFiles(), null, replaced.newest()).isPresent()) {
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

    /** A change by files of this hash. */
    record AppliedFiles(AppliedChange change, String hash) {}

    /**
     * Reads the files again and puts them in force, see {@link #apply}.
     *
     * @param expected hash of the only files that may be applied; null for any
     * @throws InvalidConfigurationException when they are invalid; then the old rules stay in force
     * @throws ProblemException 412 when the files have another hash
     */
    AppliedFiles applyFiles(RequestedChange change, @Nullable String expected) {
        try {
            LoadedConfiguration files = readFiles();
            if (expected != null && !expected.equals(files.hash())) {
                long version = rules.current().version();
                throw Problems.filesChanged(version).header("ETag", RequestedChange.tag(version));
            }
            return new AppliedFiles(apply(files, sourceOfFiles(), change), files.hash());
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
     * @throws ProblemException as {@link VersionReplacer#replace}
     */
    AppliedChange apply(LoadedConfiguration loaded, String source, RequestedChange change) {
        return replacer.replace(before -> withSeasonal(loaded, before), source, change);
    }

    /**
     * Puts the rules of an earlier version in force, with its own seasonal reactions.
     *
     * @throws ProblemException as {@link VersionReplacer#replace}
     */
    AppliedChange putBack(LoadedConfiguration version, String source, RequestedChange change) {
        return replacer.replace(_ -> version, source, change);
    }

    /**
     * Edits the rules in force.
     *
     * @param edit receives the rules in force; returns the same object to change nothing
     * @throws ProblemException as {@link VersionReplacer#replace}, and those of the edit
     */
    public AppliedChange edit(UnaryOperator<RuleSet> edit, String source, RequestedChange change) {
        return replacer.replace(
                before -> hashed(edit.apply(before.configuration()), before.sourceHash()),
                source,
                change);
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
}
