package dev.ovation.configuration;

import dev.ovation.configuration.ConfigurationUpdater.AppliedFiles;
import dev.ovation.configuration.change.RequestedChange;
import dev.ovation.credential.Credentials;
import dev.ovation.credential.InvalidKeysException;
import dev.ovation.rules.Namespace;
import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.rules.reader.DocumentViolation;
import dev.ovation.rules.reader.InvalidConfigurationException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.QueryString;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Endpoints for operators: {@code POST /actuator/refresh} and {@code GET /actuator/namespaces}. */
final class ConfigurationEndpoints {

    private ConfigurationEndpoints() {}

    /** Reads the files again and puts them in force, keys first. */
    @Component
    @Endpoint(id = "refresh")
    static class Refresh {

        private static final String FILES_HASH = "files_hash";

        private final ConfigurationUpdater changes;
        private final Credentials credentials;

        Refresh(ConfigurationUpdater changes, Credentials credentials) {
            this.changes = changes;
            this.credentials = credentials;
        }

        /** Reads the parameters as all other calls do, not as the actuator would. */
        @WriteOperation
        Map<String, Object> refresh() {
            var attributes = Objects.requireNonNull(RequestContextHolder.getRequestAttributes());
            var request = ((ServletRequestAttributes) attributes).getRequest();
            var query =
                    QueryString.of(
                            request,
                            RequestedChange.DRY_RUN,
                            RequestedChange.ACCEPT_LOSS,
                            FILES_HASH);
            var violations = new RequestViolations();
            RequestedChange change = RequestedChange.of(request, query, violations);
            violations.throwIfAny();
            try {
                if (!change.dryRun()) {
                    credentials.refresh();
                }
                AppliedFiles applied = changes.applyFiles(change, query.text(FILES_HASH));
                var answer = new LinkedHashMap<>(applied.change().json());
                answer.put(FILES_HASH, applied.hash());
                return answer;
            } catch (InvalidKeysException e) {
                String message = String.valueOf(e.getMessage());
                throw Problems.invalidConfiguration(
                        "the file of keys: " + message,
                        List.of(new DocumentViolation("keys", e.line(), message)));
            } catch (InvalidConfigurationException e) {
                throw ConfigurationController.problem(e);
            }
        }
    }

    /** Returns the rules in force, their source, and whether the files differ. */
    @Component
    @Endpoint(id = "namespaces")
    static class Namespaces {

        private final CurrentRules rules;
        private final ConfigurationUpdater changes;

        Namespaces(CurrentRules rules, ConfigurationUpdater changes) {
            this.changes = changes;
            this.rules = rules;
        }

        @ReadOperation
        Map<String, Object> namespaces() {
            var current = rules.current();
            var answer = new LinkedHashMap<String, Object>();
            answer.put("version", current.version());
            answer.put("source", current.source());
            answer.put("hash", current.sourceHash());
            answer.put("since", current.since().toString());
            answer.put("files", files(rules, changes));
            answer.put(
                    "namespaces",
                    current.configuration().namespaces().stream().map(Namespaces::json).toList());
            return answer;
        }

        private static Map<String, Object> json(Namespace namespace) {
            var json = new LinkedHashMap<String, Object>();
            json.put("id", namespace.id());
            json.put("reaction_set_id", namespace.reactionSetId());
            json.put("max_uniq_reactions", namespace.maxUniqReactions());
            json.put("mutually_exclusive_reactions", namespace.mutuallyExclusiveReactions());
            Integer own = namespace.maxReactionsPerUser();
            if (own != null) {
                json.put("max_reactions_per_user", own);
            }
            return json;
        }
    }

    /** Compares the files with the rules in force. */
    static Map<String, Object> files(CurrentRules rules, ConfigurationUpdater changes) {
        var files = new LinkedHashMap<String, Object>();
        files.put("directory", changes.directory().toString());
        try {
            String hash = ConfigurationFiles.read(changes.directory()).hash();
            files.put("hash", hash);
            files.put("differ", !hash.equals(rules.current().sourceHash()));
        } catch (InvalidConfigurationException e) {
            files.put("differ", true);
            files.put("violations", e.violations().stream().map(Object::toString).toList());
        }
        return files;
    }
}
