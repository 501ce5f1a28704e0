package dev.ovation.reaction.write;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.Counter;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.Proposal;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Views;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What one version of the rules says to a wish: as data for the script, and in words. */
final class Ruling {

    private final RulesInForce rules;
    private final Command command;
    private final @Nullable NamespaceRules namespace;
    private final Views views;

    Ruling(RulesInForce rules, Command command) {
        this.rules = rules;
        this.command = command;
        this.namespace = rules.namespace(command.namespace());
        this.views = new Views(rules, command.entityKey());
    }

    RulesInForce rules() {
        return rules;
    }

    List<String> keys() {
        return command.reactions().stream().map(ReactionKey::of).toList();
    }

    /**
     * The rules as data; null when they know too little for it, which newer ones may know.
     *
     * <p>To put a whole set is no question of knowing: what the user has of it already may stay,
     * whatever the rules are now; the script finds out what is new.
     */
    Proposal.@Nullable Rules decided() {
        if (command.kind() == Command.Kind.REMOVE || command.reactions().isEmpty()) {
            return Proposal.Rules.NONE;
        }
        if (namespace == null) {
            return null;
        }
        return command.kind() == Command.Kind.PUT ? put(namespace) : add(namespace);
    }

    private Proposal.@Nullable Rules add(NamespaceRules known) {
        String wanted = known.key(command.reaction());
        if (wanted == null) {
            return null;
        }
        List<String> group = new ArrayList<>(known.excluded(wanted));
        group.addFirst(wanted);
        return rules(known, group.size() > 1 ? List.of(group) : List.of());
    }

    private Proposal.Rules put(NamespaceRules known) {
        List<String> wanted = keys();
        return rules(
                known,
                known.groups().stream()
                        .filter(group -> group.stream().anyMatch(wanted::contains))
                        .toList());
    }

    private Proposal.Rules rules(NamespaceRules known, List<List<String>> groups) {
        return new Proposal.Rules(rules.version(), groups, known.maxUniqReactions(), known.keys());
    }

    /** Stands for {@link #decided} when there are no newer rules: what the user has may stay. */
    Proposal.Rules unknowing() {
        if (command.kind() == Command.Kind.PUT) {
            return new Proposal.Rules(rules.version(), List.of(), 0, List.of());
        }
        throw unknown(command.reaction());
    }

    private ProblemException unknown(String reaction) {
        return namespace == null
                ? Problems.unknownNamespaceOnWrite(command.namespace())
                : Problems.unknownReaction(reaction, command.namespace());
    }

    /** The refusal in words. */
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

    /** What was done. */
    WriteResult result(long epoch, Reply.Accepted accepted) {
        return new WriteResult(
                accepted.changed(),
                views.spelled(accepted.added()),
                views.spelled(accepted.removed()),
                view(epoch, accepted.version(), accepted.counters(), accepted.own()));
    }

    /** What was done some time ago. */
    WriteResult result(WriteAnswer answer) {
        return new WriteResult(
                !(answer.added().isEmpty() && answer.removed().isEmpty()),
                views.spelled(answer.added()),
                views.spelled(answer.removed()),
                view(answer.epoch(), answer.version(), answer.counters(), answer.own()));
    }

    /** What is there instead of what was demanded. */
    EntityView seen(long epoch, Reply.Other other) {
        return view(epoch, other.version(), other.counters(), other.own());
    }

    private EntityView view(long epoch, long version, List<Counter> counters, List<String> own) {
        return views.view(epoch, version, counters, command.user(), own);
    }
}
