package dev.ovation.configuration;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.configuration.ConfigurationVersions.WholeConfiguration;
import dev.ovation.configuration.change.AppliedChange;
import dev.ovation.configuration.change.RequestedChange;
import dev.ovation.limit.SharedCaching;
import dev.ovation.rules.Namespace;
import dev.ovation.rules.reader.ConfigurationBody;
import dev.ovation.rules.reader.InvalidConfigurationException;
import dev.ovation.rules.reader.LoadedConfiguration;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.Json;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * {@code /configuration}: the requests of the older service, a check without an effect, and the
 * whole configuration. The entity tag of an answer is the version in force.
 */
@Controller
final class ConfigurationController {

    /** Largest body of {@code POST /configuration}, in bytes. */
    private static final long MAX_BODY = DataSize.ofMegabytes(4).toBytes();

    private final CurrentRules rules;
    private final ConfigurationUpdater changes;
    private final SharedCaching caching;

    ConfigurationController(
            CurrentRules rules,
            ConfigurationUpdater changes,
            @Value("${ovation.http.rules-max-age}") Duration maxAge) {
        this.rules = rules;
        this.changes = changes;
        this.caching = new SharedCaching(maxAge);
    }

    @GetMapping("/configuration/namespace")
    @RequiresScope(Scope.REACTIONS_READ)
    HttpAnswer namespace(HttpServletRequest request) {
        String id = namespaceId(request);
        RulesInForce current = rules.forNamespace(id);
        Namespace namespace = Objects.requireNonNull(current.namespace(id)).namespace();
        return cached(Map.of("namespace", namespace), current, request);
    }

    /** Reads the newest version, because the caller may change it and put it back. */
    @GetMapping("/configuration")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer whole(HttpServletRequest request) {
        QueryString.none(request);
        var _ = rules.catchUpIfOlder(rules.current().version());
        RulesInForce current = rules.current();
        var json = WholeConfiguration.of(current.configuration());
        return HttpAnswer.ofJson(Json.bytes(json), tag(current))
                .header("Cache-Control", "private, no-cache")
                .conditional(request);
    }

    /** Reads the JSON Schema of one of the files. */
    @GetMapping("/configuration/schema")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer schema(HttpServletRequest request) {
        String file = QueryString.of(request, "file").text("file");
        return HttpAnswer.ofJson(
                ConfigurationSchema.of(file == null ? "" : file)
                        .orElseThrow(
                                () ->
                                        Problems.malformed(
                                                "file",
                                                "must be namespaces, reaction_sets or reactions"))
                        .json());
    }

    @PostMapping("/configuration")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer replace(HttpServletRequest request) throws IOException {
        QueryString query =
                QueryString.of(
                        request,
                        RequestedChange.DRY_RUN,
                        RequestedChange.ACCEPT_LOSS,
                        "allow_empty");
        var violations = new RequestViolations();
        RequestedChange change = RequestedChange.of(request, query, violations);
        boolean allowEmpty = query.flag("allow_empty", false, violations);
        violations.throwIfAny();
        LoadedConfiguration loaded = read(request);
        if (loaded.configuration().isEmpty() && !allowEmpty) {
            throw Problems.invalidConfiguration(
                    "an empty configuration needs allow_empty=true", List.of());
        }
        AppliedChange applied = changes.apply(loaded, "API", change);
        return change.dryRun() ? applied.answer() : applied.shortAnswer();
    }

    static ProblemException problem(InvalidConfigurationException e) {
        return Problems.invalidConfiguration(String.valueOf(e.getMessage()), e.violations());
    }

    private LoadedConfiguration read(HttpServletRequest request) throws IOException {
        String type = mediaType(request.getContentType());
        byte[] body = JsonBody.bytes(request, MAX_BODY);
        try {
            return switch (type) {
                case "application/json" -> ConfigurationBody.json(body);
                case "application/yaml", "application/x-yaml", "text/yaml" ->
                        ConfigurationBody.yaml(body);
                case "application/gzip" -> ConfigurationBody.archive(body);
                default -> throw Problems.unsupportedContentType(request.getContentType());
            };
        } catch (InvalidConfigurationException e) {
            changes.refused();
            throw problem(e);
        }
    }

    private static String mediaType(@Nullable String contentType) {
        return contentType == null
                ? ""
                : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static String namespaceId(HttpServletRequest request) {
        String id = QueryString.of(request, "namespace_id").text("namespace_id");
        return IdFields.namespace(id, Principal.of(request));
    }

    private HttpAnswer cached(Object body, RulesInForce current, HttpServletRequest request) {
        HttpAnswer answer = HttpAnswer.ofJson(Json.bytes(body), tag(current));
        return caching.mark(answer, request).conditional(request);
    }

    private static String tag(RulesInForce current) {
        return RequestedChange.tag(current.version());
    }
}
