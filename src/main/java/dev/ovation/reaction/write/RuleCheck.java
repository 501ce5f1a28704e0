package dev.ovation.reaction.write;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.entity.WriteAnswer;
import dev.ovation.hot.script.ReactScript.Reply;
import dev.ovation.hot.state.Proposal;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.reaction.attribute.AttributeCheck;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Views;
import dev.ovation.reaction.write.WriteOutcome.Completed;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.constraint.NamespaceConstraints;
import dev.ovation.web.problem.ProblemException;

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
    private final AttributeCheck attributes;
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
        this.attributes = AttributeCheck.of(command.attributes(), namespace);
        this.decided = attributes.malformed() == null || readsNoAttributes() ? decided() : null;
    }

    /** Returns the attributes that constraints read, in the form of the script. */
    String attributes() {
        return attributes.encoded();
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
        if (takesBack()) {
            return takingBack();
        }
        if (namespace == null) {
            return null;
        }
        return command.kind() == ChangeKind.PUT ? put(namespace) : add(namespace);
    }

    private boolean takesBack() {
        return command.kind() == ChangeKind.REMOVE || command.reactions().isEmpty();
    }

    /**
     * Returns whether malformed attributes do not matter: nothing judges that a user takes back.
     */
    private boolean readsNoAttributes() {
        return takesBack() && (namespace == null || !namespace.constraints().judgesRemovals());
    }

    /**
     * Returns the rules of a change that only takes back: constraints that judge it, of this
     * version or of a newer one.
     */
    private Proposal.RuleData takingBack() {
        NamespaceConstraints own =
                namespace == null ? NamespaceConstraints.NONE : namespace.constraints();
        return new Proposal.RuleData(
                rules.version(),
                List.of(),
                0,
                List.of(),
                false,
                Proposal.RuleData.UNLIMITED,
                own.judgesRemovals() ? own.programs() : "",
                own.judgesRemovals() && own.usesTimesOfUsers(),
                Map.of());
    }

    private Proposal.@Nullable RuleData add(NamespaceRules known) {
        String wanted = known.key(command.reaction());
        if (wanted == null
                || (known.isFreeText(wanted) && !texts.test(wanted))
                || unavailable(wanted) != null) {
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
                known.constraints().programs(),
                known.constraints().usesTimesOfUsers(),
                known.seasonEnds(keys, attributes.traits(), now));
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
        if (attributes.malformed() != null) {
            throw attributes.malformed();
        }
        if (command.kind() == ChangeKind.PUT) {
            return new Proposal.RuleData(rules.version(), List.of(), 0, List.of());
        }
        throw WriteProblems.unknown(command.reaction(), command, namespace, this::unavailable);
    }

    /** Returns the problem of a refusal. */
    ProblemException refusal(Reply.Refused refused) {
        return WriteProblems.refusal(refused, command, namespace, views, this::unavailable);
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
                                Boolean.TRUE.equals(answer.locked()))
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

    /** Returns why the reaction of this key cannot be added now; null when it can. */
    private @Nullable String unavailable(String key) {
        return namespace == null ? null : namespace.unavailable(key, attributes.traits(), now);
    }
}
