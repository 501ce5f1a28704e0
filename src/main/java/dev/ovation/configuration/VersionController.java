package dev.ovation.configuration;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.configuration.change.RequestedChange;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.PageCursor;
import dev.ovation.web.request.PageLimit;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The versions of the configuration: which there were, and the way back to one. */
@Controller
final class VersionController {

    private static final PageCursor CURSOR = PageCursor.of("configuration versions");

    private final ConfigurationVersions versions;
    private final ConfigurationUpdater updater;

    VersionController(ConfigurationVersions versions, ConfigurationUpdater updater) {
        this.versions = versions;
        this.updater = updater;
    }

    /** Reads the list of versions, or one of them with its content. */
    @GetMapping("/configuration/versions")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer versions(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "version", "compared_to", "limit", "cursor");
        var violations = new RequestViolations();
        Long version = number("version", query, violations);
        Long comparedTo = number("compared_to", query, violations);
        if (comparedTo != null && version == null) {
            violations.add("version", "is missing");
        }
        int limit = PageLimit.of(query, violations);
        violations.throwIfAny();
        if (version != null) {
            return HttpAnswer.json(versions.one(version, comparedTo));
        }
        return HttpAnswer.json(page(CURSOR.below(query.text("cursor")), limit));
    }

    private Map<String, Object> page(long below, int limit) {
        List<Map<String, Object>> found = versions.list(below, limit);
        var json = new LinkedHashMap<String, Object>();
        json.put("versions", found);
        if (!found.isEmpty() && found.getLast().get("version") instanceof Long last && last > 1) {
            json.put("next_cursor", CURSOR.at(last));
        }
        return json;
    }

    /** Makes the rules of a version the newest version. */
    @PostMapping("/configuration/rollback")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer rollBack(HttpServletRequest request) {
        QueryString query =
                QueryString.of(
                        request, "version", RequestedChange.DRY_RUN, RequestedChange.ACCEPT_LOSS);
        var violations = new RequestViolations();
        Long version = number("version", query, violations);
        if (query.nonEmpty("version") == null) {
            violations.add("version", "is missing");
        }
        RequestedChange change = RequestedChange.of(request, query, violations);
        violations.throwIfAny();
        long number = Objects.requireNonNull(version);
        return updater.putBack(versions.load(number), "version " + number, change).answer();
    }

    private static @Nullable Long number(
            String name, QueryString query, RequestViolations violations) {
        String text = query.nonEmpty(name);
        if (text == null) {
            return null;
        }
        if (!text.matches("[1-9][0-9]{0,17}")) {
            violations.add(name, "must be the number of a version");
            return null;
        }
        return Long.valueOf(text);
    }
}
