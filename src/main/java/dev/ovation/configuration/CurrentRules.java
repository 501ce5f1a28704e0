package dev.ovation.configuration;

import dev.ovation.configuration.version.ConfigurationMetrics;
import dev.ovation.configuration.version.ConfigurationMetrics.Failure;
import dev.ovation.configuration.version.VersionPublisher;
import dev.ovation.hot.state.Fences;
import dev.ovation.rules.RuleSet;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.ConfigurationTable.Version;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.stereotype.Service;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The rules in force in this instance: the newest version in Postgres, read on demand. */
@Service
public class CurrentRules {

    private static final Logger LOG = LoggerFactory.getLogger(CurrentRules.class);

    private final ConfigurationTable table;
    private final VersionPublisher publisher;
    private final ConfigurationMetrics metrics;
    private final PostgresBulkhead gate;
    private final Fences fences;
    private volatile RulesInForce current =
            new RulesInForce(0, "none", "", Instant.EPOCH, RuleSet.EMPTY, Map.of());
    private final ReentrantLock catchingUp = new ReentrantLock();

    CurrentRules(
            ConfigurationTable table,
            VersionPublisher publisher,
            ConfigurationMetrics metrics,
            PostgresBulkhead gate,
            Fences fences) {
        this.table = table;
        this.publisher = publisher;
        this.metrics = metrics;
        this.gate = gate;
        this.fences = fences;
        metrics.version(() -> current.version());
    }

    /** Returns the rules in force; a request uses one result from beginning to end. */
    public RulesInForce current() {
        return current;
    }

    /**
     * Returns rules that know a namespace; looks for newer rules before the namespace counts as
     * unknown.
     *
     * @throws ProblemException 404 when no rules know the namespace
     */
    public RulesInForce forNamespace(String namespace) {
        var rules = current;
        return rules.namespace(namespace) == null ? forNamespace(Set.of(namespace)) : rules;
    }

    /**
     * Returns one version of the rules that knows all of some namespaces; see {@link
     * #forNamespace(String)}.
     *
     * @throws ProblemException 404 when it lacks one of them
     */
    public RulesInForce forNamespace(Set<String> namespaces) {
        var rules = current;
        String unknown = unknown(namespaces, rules);
        if (unknown != null && catchUpIfOlder(rules.version())) {
            rules = current;
            unknown = unknown(namespaces, rules);
        }
        if (unknown != null) {
            throw Problems.unknownNamespace(unknown);
        }
        return rules;
    }

    private static @Nullable String unknown(Set<String> namespaces, RulesInForce rules) {
        for (String namespace : namespaces) {
            if (rules.namespace(namespace) == null) {
                return namespace;
            }
        }
        return null;
    }

    /**
     * Looks for a newer version before a refusal by an older one. Redis knows the newest version,
     * because every partition receives it before it is in force. Postgres is read only if Redis
     * cannot answer or names a newer version.
     *
     * @param than the version by which the caller would refuse
     * @return whether a newer version is in force here now
     */
    public boolean catchUpIfOlder(long than) {
        if (current.version() > than) {
            return true;
        }
        return publisher.publishedVersion().orElse(Long.MAX_VALUE) > than && catchUp(than);
    }

    /**
     * Adopts a version newer than {@code than}, which another instance stored. Of concurrent
     * callers, one reads Postgres.
     *
     * @return whether a newer version is in force here now
     */
    public boolean catchUp(long than) {
        if (current.version() > than) {
            return true;
        }
        try {
            if (!catchingUp.tryLock(gate.patience().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new CannotAcquireLockException("the newest rules are being fetched");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotAcquireLockException("interrupted", e);
        }
        try {
            return current.version() > than || gate.ask(this::takeNewest);
        } finally {
            catchingUp.unlock();
        }
    }

    /** Adopts the newest version, outside the bulkhead of requests. */
    void catchUpNow() {
        catchingUp.lock();
        try {
            takeNewest();
        } finally {
            catchingUp.unlock();
        }
    }

    private boolean takeNewest() {
        var before = current;
        if (table.isNewest(before.version(), before.hash())) {
            return false;
        }
        Optional<Version> newest = table.newest();
        if (newest.isEmpty()) {
            return false;
        }
        var version = newest.get();
        try {
            take(version);
            if (version.version() <= before.version()) {
                stepBack(before);
            }
            return version.version() > before.version();
        } catch (IllegalArgumentException e) {
            metrics.failed(Failure.UNREADABLE);
            LOG.error(
                    "Configuration version {} cannot be read here: {}",
                    version.version(),
                    e.getMessage());
            return false;
        }
    }

    private void take(Version version) {
        RuleSet configuration = RuleSet.fromJson(version.content());
        configuration.compileConstraints();
        current =
                new RulesInForce(
                        version.version(),
                        version.source(),
                        version.hash(),
                        version.createdAt(),
                        configuration,
                        table.spellings());
        LOG.info("Configuration version {} from {}", version.version(), version.source());
    }

    /**
     * Drops versions that a restored Postgres lacks. Partitions that received such a version refuse
     * instances that follow the copy; a new attach ends their epochs.
     */
    private void stepBack(RulesInForce before) {
        LOG.warn("Postgres does not know configuration version {} any more", before.version());
        fences.loseAll();
    }
}
