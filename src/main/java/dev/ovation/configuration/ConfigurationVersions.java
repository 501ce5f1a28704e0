package dev.ovation.configuration;

import dev.ovation.rules.Namespace;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.ConfigurationTable.Version;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The versions that are or were in force, for people. */
@Component
final class ConfigurationVersions {

    /** The whole configuration, in the form in which {@code POST /configuration} takes it. */
    record WholeConfiguration(
            List<ReactionDefinition> reactions,
            List<ReactionSet> reactionSets,
            List<Namespace> namespaces) {

        static WholeConfiguration of(RuleSet rules) {
            return new WholeConfiguration(
                    rules.reactions(), rules.reactionSets(), rules.namespaces());
        }
    }

    private final ConfigurationTable table;
    private final PostgresBulkhead gate;

    ConfigurationVersions(ConfigurationTable table, PostgresBulkhead gate) {
        this.table = table;
        this.gate = gate;
    }

    /**
     * Reads versions, newest first. It holds the contents of two at a time.
     *
     * @param below number above the first one
     * @param most greatest number of versions
     */
    List<Map<String, Object>> list(long below, int most) {
        var list = new ArrayList<Map<String, Object>>();
        long number = Math.min(below - 1, gate.ask(table::newestVersion));
        StoredVersion version = find(number);
        while (version != null && list.size() < most) {
            StoredVersion older = find(version.stored.version() - 1);
            list.add(version.json(older));
            version = older;
        }
        return list;
    }

    /**
     * Reads one version with its content, and the seasonal reactions beside it.
     *
     * @param comparedTo number of the version from which {@code changes} lead to it; null for the
     *     version before
     * @throws ProblemException 404 when there is none of these numbers
     */
    Map<String, Object> one(long number, @Nullable Long comparedTo) {
        StoredVersion version = existing(number);
        StoredVersion older = comparedTo == null ? find(number - 1) : existing(comparedTo);
        Map<String, Object> json = version.json(older);
        RuleSet rules = version.rules;
        if (rules != null) {
            json.put("content", WholeConfiguration.of(rules));
            json.put("seasonal", rules.seasonal());
        }
        return json;
    }

    /**
     * Returns the rules of a version, to be applied again.
     *
     * @throws ProblemException 404 when there is none of this number, 422 when this program cannot
     *     read it
     */
    LoadedConfiguration load(long number) {
        StoredVersion version = existing(number);
        if (version.rules == null) {
            throw Problems.invalidConfiguration(unreadable(number), List.of());
        }
        return new LoadedConfiguration(version.rules, version.stored.hash());
    }

    private StoredVersion existing(long number) {
        StoredVersion version = find(number);
        if (version == null) {
            throw Problems.unknownVersion(number);
        }
        return version;
    }

    private @Nullable StoredVersion find(long number) {
        return gate.ask(() -> table.version(number)).map(StoredVersion::of).orElse(null);
    }

    private static String unreadable(long number) {
        return "this program cannot read version %d".formatted(number);
    }

    /**
     * A version as stored.
     *
     * @param rules null when this program cannot read them
     */
    private record StoredVersion(Version stored, @Nullable RuleSet rules) {

        static StoredVersion of(Version stored) {
            try {
                return new StoredVersion(stored, RuleSet.fromJson(stored.content()));
            } catch (IllegalArgumentException _) {
                return new StoredVersion(stored, null);
            }
        }

        Map<String, Object> json(@Nullable StoredVersion older) {
            var json = new LinkedHashMap<String, Object>();
            json.put("version", stored.version());
            json.put("source", stored.source());
            json.put("applied_at", stored.createdAt().toString());
            String by = stored.appliedBy();
            if (by != null) {
                json.put("applied_by", by);
            }
            json.put("changes", changesFrom(older));
            return json;
        }

        private List<String> changesFrom(@Nullable StoredVersion older) {
            if (rules == null) {
                return List.of(unreadable(stored.version()));
            }
            if (older == null) {
                return RuleSet.diff(RuleSet.EMPTY, rules);
            }
            return older.rules == null
                    ? List.of(unreadable(older.stored.version()))
                    : RuleSet.diff(older.rules, rules);
        }
    }
}
