package dev.ovation.reaction.write;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Views;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rule check of a command by one version of the rules: as data for the script, and as messages.
 */
final class RuleCheck {

    private final RulesInForce rules;
    private final Command command;
    private final boolean withState;
    private final Instant now;
    private final Predicate<String> texts;
    private final @Nullable NamespaceRules namespace;
    private final List<String> keys;
    private final Views views;
    private final Proposal.@Nullable RuleData decided;

    /**
     * Creates a check.
     *
     * @param now the time at which seasons are judged
     * @param texts whether one more text may be used as a reaction, by its key
     */
    RuleCheck(
            RulesInForce rules,
            Command command,
            boolean withState,
            Instant now,
            Predicate<String> texts) {
        this.rules = rules;
        this.now = now;
        this.command = command;
        this.withState = withState;
        this.texts = texts;
        this.namespace = rules.namespace(command.namespace());
        this.keys = keys(command, namespace);
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

    /** Returns the keys of the command's reactions, each once, in the order of their bytes. */
    List<String> keys() {
        return keys;
    }

    /** Returns the same; an emoji with skin tones that are not counted has them as its form. */
    List<String> keysWithForms() {
        NamespaceRules known = namespace;
        if (known == null || command.kind() == ChangeKind.REMOVE) {
            return keys;
        }
        Map<String, String> forms = new HashMap<>();
        for (String id : command.reactions()) {
            String form = known.formOf(id);
            if (form != null) {
                forms.putIfAbsent(known.keyOf(id), form);
            }
        }
        return forms.isEmpty()
                ? keys
                : keys.stream().map(key -> RedisSchema.withForm(key, forms.get(key))).toList();
    }

    private static List<String> keys(Command command, @Nullable NamespaceRules known) {
        List<String> keys =
                command.reactions().stream()
                        .map(id -> known == null ? ReactionKey.of(id) : known.keyOf(id))
                        .toList();
        return keys.size() < 2 ? keys : keys.stream().distinct().sorted(ReactionKey.ORDER).toList();
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
        if (wanted == null
                || (known.isFreeText(wanted) && !texts.test(wanted))
                || known.unavailable(wanted, command.traits(), now) != null) {
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
        Integer ofUser = known.maxReactionsPerUser();
        return new Proposal.RuleData(
                rules.version(),
                groups,
                known.maxUniqReactions(),
                live(known),
                known.isOpen(),
                ofUser == null ? Proposal.RuleData.UNLIMITED : ofUser,
                known.seasonEnds(keys, command.traits(), now));
    }

    /** Returns the listed keys, and those of an open set that this command adds. */
    private List<String> live(NamespaceRules known) {
        List<String> free =
                keys().stream()
                        .filter(key -> !known.contains(key) && known.takes(key))
                        .filter(key -> !known.isFreeText(key) || texts.test(key))
                        .toList();
        return free.isEmpty()
                ? known.keys()
                : Stream.concat(known.keys().stream(), free.stream()).toList();
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
        if (namespace == null) {
            return Problems.unknownNamespaceOnWrite(command.namespace());
        }
        String why = namespace.unavailable(namespace.keyOf(reaction), command.traits(), now);
        return why == null
                ? Problems.unknownReaction(reaction, command.namespace())
                : Problems.reactionNotAvailable(reaction, why);
    }

    /** The season ended after the check, or a put adds a reaction that is not available. */
    private ProblemException closed(String key) {
        String why = namespace == null ? null : namespace.unavailable(key, command.traits(), now);
        return Problems.reactionNotAvailable(
                views.spelling(key), why == null ? "is not available any more" : why);
    }

    /** Returns the problem of a refusal. */
    ProblemException refusal(Reply.Refused refused) {
        return switch (refused.reason()) {
            case EXISTS ->
                    Problems.reactionAlreadyExists(views.spelling(keys.getFirst()), command.user());
            case UNKNOWN -> unknown(views.spelling(refused.reaction()));
            case CONFLICT ->
                    Problems.conflicting(
                            views.spelling(refused.reaction()),
                            views.spelled(refused.conflicting()));
            case LIMIT ->
                    Problems.maxUniqReactions(namespace == null ? 0 : namespace.maxUniqReactions());
            case TOO_MANY -> Problems.tooManyReactions(limitOfUser());
            case LOCKED -> Problems.entityLocked(command.entity());
            case CLOSED -> closed(refused.reaction());
        };
    }

    private int limitOfUser() {
        Integer limit = namespace == null ? null : namespace.maxReactionsPerUser();
        return limit == null ? 0 : limit;
    }

    /** Returns the result of an accepted proposal. */
    Completed result(long epoch, Reply.Accepted accepted) {
        return new Completed(
                accepted.changed(),
                views.spelled(accepted.added()),
                views.spelled(accepted.removed()),
                views.spelled(accepted.own()),
                withState
                        ? view(
                                epoch,
                                accepted.version(),
                                accepted.counters(),
                                accepted.own(),
                                accepted.locked())
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
                        ? view(
                                answer.epoch(),
                                answer.version(),
                                answer.counters(),
                                answer.own(),
                                false)
                        : null);
    }

    /** Returns the view of the current state, which differs from the expected one. */
    EntityView seen(long epoch, Reply.Other other) {
        return view(epoch, other.version(), other.counters(), other.own(), other.locked());
    }

    private EntityView view(
            long epoch, long version, List<Counter> counters, List<String> own, boolean locked) {
        return views.view(epoch, version, counters, command.user(), own, locked);
    }
}
