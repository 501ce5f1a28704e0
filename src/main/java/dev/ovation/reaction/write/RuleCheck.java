package dev.ovation.reaction.write;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.hot.state.Proposal;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Views;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The rule check of a command by one version of the rules: as data for the script, and as messages.
 */
final class RuleCheck {

    private final RulesInForce rules;
    private final Command command;
    private final boolean withState;
    private final @Nullable NamespaceRules namespace;
    private final Views views;
    private final Proposal.@Nullable RuleData decided;

    RuleCheck(RulesInForce rules, Command command, boolean withState) {
        this.rules = rules;
        this.command = command;
        this.withState = withState;
        this.namespace = rules.namespace(command.namespace());
        this.views = new Views(rules, command.entityKey());
        this.decided = decided();
    }

    RulesInForce rules() {
        return rules;
    }

    /** Returns whether these rules know the reaction and the namespace, as far as that matters. */
    boolean isDecided() {
        return decided != null;
    }

    /**
     * Returns the rules as data.
     *
     * @throws ProblemException when these rules do not know the reaction or the namespace
     */
    Proposal.RuleData data() {
        return decided == null ? unknowing() : decided;
    }

    List<String> keys() {
        return command.reactions().stream().map(ReactionKey::of).toList();
    }

    /**
     * Returns the rules as data; null when these rules do not know the reaction or the namespace,
     * and newer ones may.
     *
     * <p>A put of a whole set needs no known reactions: the user may keep existing reactions under
     * any rules; the script finds the new ones.
     */
    private Proposal.@Nullable RuleData decided() {
        if (command.kind() == ChangeKind.REMOVE || command.reactions().isEmpty()) {
            return Proposal.RuleData.NONE;
        }
        if (namespace == null) {
            return null;
        }
        return command.kind() == ChangeKind.PUT ? put(namespace) : add(namespace);
    }

    private Proposal.@Nullable RuleData add(NamespaceRules known) {
        String wanted = known.key(command.reaction());
        if (wanted == null) {
            return null;
        }
        List<String> group = new ArrayList<>(known.excluded(wanted));
        group.addFirst(wanted);
        return rules(known, group.size() > 1 ? List.of(group) : List.of());
    }

    private Proposal.RuleData put(NamespaceRules known) {
        List<String> wanted = keys();
        return rules(
                known,
                known.groups().stream()
                        .filter(group -> group.stream().anyMatch(wanted::contains))
                        .toList());
    }

    private Proposal.RuleData rules(NamespaceRules known, List<List<String>> groups) {
        return new Proposal.RuleData(
                rules.version(), groups, known.maxUniqReactions(), known.keys());
    }

    /**
     * Returns the substitute for {@link #decided()} when there are no newer rules: the user may
     * keep existing reactions.
     */
    private Proposal.RuleData unknowing() {
        if (command.kind() == ChangeKind.PUT) {
            return new Proposal.RuleData(rules.version(), List.of(), 0, List.of());
        }
        throw unknown(command.reaction());
    }

    private ProblemException unknown(String reaction) {
        return namespace == null
                ? Problems.unknownNamespaceOnWrite(command.namespace())
                : Problems.unknownReaction(reaction, command.namespace());
    }

    /** Returns the problem of a refusal. */
    ProblemException refusal(Reply.Refused refused) {
        return switch (refused.reason()) {
            case EXISTS ->
                    Problems.reactionAlreadyExists(
                            views.spelling(ReactionKey.of(command.reaction())), command.user());
            case UNKNOWN -> unknown(views.spelling(refused.reaction()));
            case CONFLICT ->
                    Problems.conflicting(
                            views.spelling(refused.reaction()),
                            views.spelled(refused.conflicting()));
            case LIMIT ->
                    Problems.maxUniqReactions(namespace == null ? 0 : namespace.maxUniqReactions());
        };
    }

    /** Returns the result of an accepted proposal. */
    Completed result(long epoch, Reply.Accepted accepted) {
        return new Completed(
                accepted.changed(),
                views.spelled(accepted.added()),
                views.spelled(accepted.removed()),
                views.spelled(accepted.own()),
                withState
                        ? view(epoch, accepted.version(), accepted.counters(), accepted.own())
                        : null);
    }

    /** Returns the result of an earlier execution. */
    Completed result(WriteAnswer answer) {
        return new Completed(
                !(answer.added().isEmpty() && answer.removed().isEmpty()),
                views.spelled(answer.added()),
                views.spelled(answer.removed()),
                views.spelled(answer.own()),
                withState
                        ? view(answer.epoch(), answer.version(), answer.counters(), answer.own())
                        : null);
    }

    /** Returns the view of the current state, which differs from the expected one. */
    EntityView seen(long epoch, Reply.Other other) {
        return view(epoch, other.version(), other.counters(), other.own());
    }

    private EntityView view(long epoch, long version, List<Counter> counters, List<String> own) {
        return views.view(epoch, version, counters, command.user(), own);
    }
}
