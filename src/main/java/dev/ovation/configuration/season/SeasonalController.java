package dev.ovation.configuration.season;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.configuration.ConfigurationUpdater;
import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.change.RequestedChange;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.SeasonalReaction;
import dev.ovation.rules.reader.ConfigurationBody;
import dev.ovation.rules.reader.InvalidConfigurationException;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.PageCursor;
import dev.ovation.web.request.PageLimit;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/**
 * {@code /configuration/seasonal}: single reactions beside the lists of the configuration. Each
 * change is a version of the rules.
 */
@Controller
final class SeasonalController {

    private static final int MAX_BODY = 64 * 1024;

    private static final Comparator<SeasonalReaction> ORDER =
            Comparator.comparing(SeasonalReaction::reactionSetId)
                    .thenComparing(SeasonalReaction::key);

    private final CurrentRules rules;
    private final ConfigurationUpdater updater;

    private record SeasonalVersion(String status, long version) {}

    private record SeasonalPage(List<SeasonalReaction> reactions, @Nullable String nextCursor) {}

    private record Place(String set, String key) {
        static Place of(List<String> parts) {
            return new Place(parts.get(0), parts.get(1));
        }

        boolean isBefore(SeasonalReaction other) {
            int sets = set.compareTo(other.reactionSetId());
            return sets < 0 || (sets == 0 && key.compareTo(other.key()) < 0);
        }
    }

    SeasonalController(CurrentRules rules, ConfigurationUpdater updater) {
        this.rules = rules;
        this.updater = updater;
    }

    @PostMapping("/configuration/seasonal")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer add(HttpServletRequest request) throws IOException {
        QueryString.none(request);
        var violations = new RequestViolations();
        RequestedChange change = RequestedChange.of(request, violations);
        violations.throwIfAny();
        SeasonalReaction added = read(JsonBody.bytes(request, MAX_BODY));
        var applied = updater.edit(current -> SeasonalChange.add(current, added), "API", change);
        applied.checkAnnounced();
        return HttpAnswer.created(new SeasonalVersion("ok", applied.version()));
    }

    @GetMapping("/configuration/seasonal")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer list(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "reaction_set_id", "limit", "cursor");
        var violations = new RequestViolations();
        String set = query.nonEmpty("reaction_set_id");
        if (set != null) {
            var _ = IdFields.id("reaction_set_id", set, violations);
        }
        int limit = PageLimit.of(query, violations);
        violations.throwIfAny();
        PageCursor cursor = PageCursor.of("seasonal", set == null ? "" : set);
        Place after = cursor.read(query.text("cursor"), Place::of);
        var _ = rules.catchUpIfOlder(rules.current().version());
        List<SeasonalReaction> found =
                rules.current().configuration().seasonal().stream()
                        .filter(each -> set == null || each.reactionSetId().equals(set))
                        .filter(each -> after == null || after.isBefore(each))
                        .sorted(ORDER)
                        .limit(limit + 1L)
                        .toList();
        if (found.size() <= limit) {
            return HttpAnswer.json(new SeasonalPage(found, null));
        }
        SeasonalReaction last = found.get(limit - 1);
        String next = cursor.at(last.reactionSetId(), last.key());
        return HttpAnswer.json(new SeasonalPage(found.subList(0, limit), next));
    }

    @DeleteMapping("/configuration/seasonal")
    @RequiresScope(Scope.CONFIGURE)
    HttpAnswer remove(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "reaction_set_id", "reaction_id");
        var violations = new RequestViolations();
        String set = IdFields.id("reaction_set_id", query.text("reaction_set_id"), violations);
        String reaction = IdFields.id("reaction_id", query.text("reaction_id"), violations);
        RequestedChange change = RequestedChange.of(request, violations);
        violations.throwIfAny();
        String key = ReactionKey.of(reaction);
        var applied =
                updater.edit(current -> SeasonalChange.remove(current, set, key), "API", change);
        applied.checkAnnounced();
        return HttpAnswer.json(new SeasonalVersion("ok", applied.version()));
    }

    private SeasonalReaction read(byte[] body) {
        try {
            return ConfigurationBody.seasonal(body);
        } catch (InvalidConfigurationException e) {
            throw Problems.invalidConfiguration(String.valueOf(e.getMessage()), e.violations());
        }
    }
}
