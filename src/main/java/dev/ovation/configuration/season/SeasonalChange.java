package dev.ovation.configuration.season;

import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.SeasonalReaction;
import dev.ovation.rules.reader.DocumentViolation;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import java.util.List;
import java.util.stream.Stream;

/** Changes the seasonal reactions of a rule set. */
final class SeasonalChange {

    /** Greatest number of seasonal reactions, because every version stores all of them. */
    private static final int MOST = 5_000;

    private SeasonalChange() {}

    /**
     * Adds a reaction; an identical one changes nothing, so that a client can repeat its request.
     *
     * @throws ProblemException 422 when there is no such set, or there are too many; 409 when the
     *     reaction is defined otherwise
     */
    static RuleSet add(RuleSet rules, SeasonalReaction added) {
        String id = added.reaction().id();
        if (rules.reactionSets().stream()
                .map(ReactionSet::id)
                .noneMatch(added.reactionSetId()::equals)) {
            throw invalid("reaction_set_id names a reaction set that is not defined");
        }
        if (rules.reactions().stream()
                .anyMatch(each -> ReactionKey.of(each.id()).equals(added.key()))) {
            throw Problems.reactionAlreadyDefined(id, "the reactions of the configuration");
        }
        for (SeasonalReaction each : rules.seasonal()) {
            if (each.equals(added)) {
                return rules;
            }
            boolean same = each.key().equals(added.key());
            if (same
                    && (each.reactionSetId().equals(added.reactionSetId())
                            || !each.reaction().equals(added.reaction()))) {
                throw Problems.reactionAlreadyDefined(
                        id, "reaction set `%s`".formatted(each.reactionSetId()));
            }
        }
        if (rules.seasonal().size() >= MOST) {
            throw invalid("there are %d seasonal reactions already".formatted(MOST));
        }
        return rules.withSeasonal(
                Stream.concat(rules.seasonal().stream(), Stream.of(added)).toList());
    }

    /**
     * Removes a reaction by its key.
     *
     * @throws ProblemException 404 when there is none
     */
    static RuleSet remove(RuleSet rules, String set, String key) {
        List<SeasonalReaction> rest =
                rules.seasonal().stream().filter(each -> !each.is(set, key)).toList();
        if (rest.size() == rules.seasonal().size()) {
            throw Problems.unknownSeasonalReaction(key, set);
        }
        return rules.withSeasonal(rest);
    }

    private static ProblemException invalid(String message) {
        var violation = new DocumentViolation("body", 0, message);
        return Problems.invalidConfiguration(violation.toString(), List.of(violation));
    }
}
