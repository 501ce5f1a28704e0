package dev.ovation.configuration;

import dev.ovation.configuration.change.AppliedChange;
import dev.ovation.configuration.change.Impact;
import dev.ovation.configuration.change.Impacts;
import dev.ovation.configuration.change.RequestedChange;
import dev.ovation.configuration.version.ConfigurationMetrics;
import dev.ovation.configuration.version.ConfigurationMetrics.Failure;
import dev.ovation.configuration.version.VersionAppender;
import dev.ovation.configuration.version.VersionPublisher;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Replaces the version in force by another one, and publishes versions to the partitions. */
@Component
final class VersionReplacer {

    /** Greatest number of attempts; one of the changes that meet comes first each time. */
    static final int ATTEMPTS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(VersionReplacer.class);

    private final CurrentRules rules;
    private final VersionAppender versions;
    private final VersionPublisher publisher;
    private final ConfigurationMetrics metrics;
    private final Impacts impacts;
    private final Duration publishing;
    private volatile long announced;

    /**
     * Creates it without reading a version.
     *
     * @param publishing time for the publication of a version to all partitions, after which the
     *     outcome is unknown; bound for tests
     */
    VersionReplacer(
            CurrentRules rules,
            VersionAppender versions,
            VersionPublisher publisher,
            ConfigurationMetrics metrics,
            Impacts impacts,
            @Value("${ovation.internal.configuration.publishing:5s}") Duration publishing) {
        this.rules = rules;
        this.versions = versions;
        this.publisher = publisher;
        this.metrics = metrics;
        this.impacts = impacts;
        this.publishing = publishing;
    }

    /**
     * Puts other rules in force; returns when they are. The change is compared with the version
     * before it, whichever that is: it begins anew when another change comes first.
     *
     * @throws ProblemException 412 when another version is in force than the request names, 409
     *     when a namespace that holds reactions would vanish, 503 when this program cannot read the
     *     version in force
     */
    AppliedChange replace(
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
    record Replaced(RulesInForce rules, long newest) {

        boolean isReadable() {
            return newest == rules.version();
        }
    }

    /** Returns the rules that a change replaces now, read from Postgres. */
    Replaced replaced() {
        long newest = versions.newest();
        rules.catchUpNow();
        RulesInForce current = rules.current();
        return new Replaced(current, Math.max(newest, current.version()));
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
        boolean isPublished = publisher.publish(version, publishing);
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
