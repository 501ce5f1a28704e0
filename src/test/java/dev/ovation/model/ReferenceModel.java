package dev.ovation.model;

import dev.ovation.model.Command.Batch;
import dev.ovation.model.Command.Kind;
import dev.ovation.model.Command.Match;
import dev.ovation.model.Command.Put;
import dev.ovation.model.Command.Read;
import dev.ovation.model.Command.Refresh;
import dev.ovation.model.Command.Write;
import dev.ovation.model.Condition.Change;
import dev.ovation.model.Ruleset.Space;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The contract in its simplest form: rows, from which all counts are derived. The time of a change
 * is its number on the entity.
 */
class ReferenceModel implements Service {

    /** A user's reaction, its time, and the emoji as the user sent it. */
    record Row(String user, String reaction, long at, String form) {}

    /** Time at which a reaction's count last rose from 0, and time of the newest addition since. */
    record Times(long first, long last) {}

    record EntityId(String namespace, String entity) {}

    record Entity(long changes, List<Row> rows, Map<String, Times> times) {

        static final Entity NEW = new Entity(0, List.of(), Map.of());

        List<String> of(String user) {
            return rows.stream().filter(r -> r.user.equals(user)).map(Row::reaction).toList();
        }

        Set<String> kinds() {
            return rows.stream().map(Row::reaction).collect(Collectors.toCollection(TreeSet::new));
        }

        long count(String reaction) {
            return rows.stream().filter(row -> row.reaction.equals(reaction)).count();
        }

        Entity change(String user, List<String> added, List<String> removed) {
            return change(user, added, removed, Map.of());
        }

        Entity change(
                String user, List<String> added, List<String> removed, Map<String, String> forms) {
            long now = changes + 1;
            var next = new ArrayList<>(rows);
            next.removeIf(row -> row.user.equals(user) && removed.contains(row.reaction));
            added.forEach(
                    each -> next.add(new Row(user, each, now, forms.getOrDefault(each, each))));
            var after = new Entity(now, next, new HashMap<>(times));
            after.times.keySet().retainAll(after.kinds());
            for (String reaction : added) {
                var before = after.times.getOrDefault(reaction, new Times(now, now));
                after.times.put(reaction, new Times(before.first, now));
            }
            return after;
        }
    }

    /** Outcome of a write. */
    private sealed interface Outcome {}

    private record Refused(Reply problem) implements Outcome {}

    private record Done(Command wish, List<String> added, List<String> removed, Entity after)
            implements Outcome {
        String outcome() {
            return added.isEmpty() && removed.isEmpty() ? "unchanged" : "applied";
        }
    }

    private record KeyScope(String namespace, String user, String key) {}

    final Map<EntityId, Entity> entities = new LinkedHashMap<>();
    private final Map<KeyScope, Done> kept = new HashMap<>();
    private final Map<String, String> spellings = new HashMap<>();
    private Ruleset rules;

    ReferenceModel(Ruleset rules) {
        refresh(rules);
    }

    /** Number of stored answers of idempotency keys. */
    int keptAnswers() {
        return kept.size();
    }

    @Override
    public Reply send(Command command) {
        return switch (command) {
            case Write write -> write(write);
            case Put put -> put(put);
            case Batch batch -> batch(batch);
            case Read read -> read(read);
            case Refresh refresh -> refresh(refresh.rules());
            case Command.Disturbance _ -> Reply.NOTHING;
        };
    }

    private Reply refresh(Ruleset next) {
        rules = next;
        next.spaces().values().forEach(space -> space.open().forEach(spellings::putIfAbsent));
        next.values().keySet().forEach(id -> spellings.put(key(id), id));
        return Reply.NOTHING;
    }

    static String key(String reaction) {
        return Normalizer.normalize(reaction.replace("\uFE0F", ""), Normalizer.Form.NFC);
    }

    /** The key as a namespace compares it. */
    private static String key(Space space, String reaction) {
        String key = key(reaction);
        return space == null || keys(space.set()).contains(key)
                ? key
                : space.plain().getOrDefault(key, key);
    }

    private static boolean takes(Space space, String key) {
        return keys(space.set()).contains(key) || space.open().containsKey(key);
    }

    /** Kinds that take a place; in an open set all do. */
    private static Set<String> placed(Space space, Set<String> kinds) {
        var placed = new TreeSet<>(kinds);
        if (space.open().isEmpty()) {
            placed.retainAll(keys(space.set()));
        }
        return placed;
    }

    /** Problem of a user who would have these reactions; null if they are not too many. */
    private static Reply tooMany(Space space, List<String> own) {
        return space.mine() == null || placed(space, Set.copyOf(own)).size() <= space.mine()
                ? null
                : Reply.problem(403, "too-many-reactions", "refused", null, space.mine());
    }

    private static boolean wellFormed(String id) {
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        return bytes >= 1 && bytes <= 256 && id.chars().noneMatch(Character::isISOControl);
    }

    /** Sorts simultaneous reactions in the order of their bytes. */
    static List<String> ordered(List<String> reactions) {
        return keys(reactions).stream()
                .distinct()
                .sorted(
                        Comparator.comparing(
                                key -> key.getBytes(StandardCharsets.UTF_8),
                                Arrays::compareUnsigned))
                .toList();
    }

    private static Reply malformed() {
        return Reply.problem(400, "malformed-request", "refused", null, null);
    }

    private Reply write(Write wish) {
        if (!wellFormed(wish.user()) || !wellFormed(wish.reaction())) {
            return malformed();
        }
        return switch (judge(wish)) {
            case Refused refused -> refused.problem;
            case Done done -> answer(wish, done);
        };
    }

    private Reply batch(Batch batch) {
        if (!batch.operations().stream().allMatch(each -> wellFormed(each.user()))) {
            return malformed();
        }
        var results = new ArrayList<Reply>();
        for (int i = 0; i < batch.operations().size(); i++) {
            results.add(
                    switch (judge(batch.write(i))) {
                        case Refused refused -> refused.problem;
                        case Done done -> Reply.of(200, Map.of("outcome", done.outcome()));
                    });
        }
        return Reply.results(results);
    }

    private Outcome judge(Write wish) {
        var scope = new KeyScope(wish.namespace(), wish.user(), wish.key());
        Done first = wish.key().isEmpty() ? null : kept.get(scope);
        if (first != null) {
            return first.wish instanceof Write before && before.sameWish(wish) ? first : mismatch();
        }
        var id = new EntityId(wish.namespace(), wish.entity());
        Entity entity = entities.getOrDefault(id, Entity.NEW);
        String reaction = key(rules.spaces().get(wish.namespace()), wish.reaction());
        boolean there = entity.of(wish.user()).contains(reaction);
        List<String> added = List.of();
        List<String> removed = List.of();
        if (wish.kind() == Kind.REMOVE) {
            removed = there ? List.of(reaction) : List.of();
        } else {
            removed = conflicting(entity, wish);
            Reply refusal = refusal(entity, wish, removed);
            if (refusal != null) {
                return new Refused(refusal);
            }
            added = there ? List.of() : List.of(reaction);
            removed = there ? List.of() : removed;
        }
        String op = wish.kind() == Kind.REMOVE ? "remove" : "add";
        var change = new Change(op, entity.of(wish.user()), added, removed, entity);
        Reply violated = violated(rules.spaces().get(wish.namespace()), change);
        return violated == null
                ? done(wish, id, scope, entity, added, removed)
                : new Refused(violated);
    }

    /** Problem of a change that a constraint of the namespace refuses; null if none does. */
    private static Reply violated(Space space, Change change) {
        if (space == null || (change.added().isEmpty() && change.removed().isEmpty())) {
            return null;
        }
        return space.conditions().stream()
                .filter(condition -> !condition.allows(change))
                .findFirst()
                .map(condition -> Reply.violated(condition.id(), "refused"))
                .orElse(null);
    }

    /** The emoji with skin tones in a request, by the key as which the namespace counts them. */
    private Map<String, String> forms(Command wish) {
        Map<String, String> forms = new HashMap<>();
        switch (wish) {
            case Write write -> note(write.namespace(), List.of(write.reaction()), forms);
            case Put put -> note(put.namespace(), ordered(put.reactions()), forms);
            default -> throw new IllegalArgumentException(wish.toString());
        }
        return forms;
    }

    private void note(String namespace, List<String> reactions, Map<String, String> forms) {
        Space space = rules.spaces().get(namespace);
        for (String each : reactions) {
            if (space != null && !key(space, each).equals(key(each))) {
                forms.putIfAbsent(key(space, each), key(each));
            }
        }
    }

    private static Refused mismatch() {
        return new Refused(Reply.problem(422, "idempotency-mismatch", "refused", null, null));
    }

    private Done done(
            Command wish,
            EntityId id,
            KeyScope scope,
            Entity before,
            List<String> added,
            List<String> removed) {
        Entity after = before;
        if (!added.isEmpty() || !removed.isEmpty()) {
            after = before.change(scope.user, added, removed, forms(wish));
            entities.put(id, after);
        }
        var done = new Done(wish, added, removed, after);
        if (!scope.key.isEmpty()) {
            kept.put(scope, done);
        }
        return done;
    }

    private Reply put(Put wish) {
        if (!wellFormed(wish.user())) {
            return malformed();
        }
        return switch (judge(wish)) {
            case Refused refused -> refused.problem;
            case Done done -> answer(wish, done);
        };
    }

    private Outcome judge(Put wish) {
        var scope = new KeyScope(wish.namespace(), wish.user(), wish.key());
        Done first = wish.key().isEmpty() ? null : kept.get(scope);
        if (first != null) {
            return first.wish instanceof Put before && before.sameWish(wish) ? first : mismatch();
        }
        var id = new EntityId(wish.namespace(), wish.entity());
        Entity entity = entities.getOrDefault(id, Entity.NEW);
        if (wish.match() == Match.WHAT_NEVER_WAS) {
            return new Refused(
                    Reply.failedPrecondition(
                            view(wish.namespace(), wish.entity(), entity, wish.user(), true)));
        }
        List<String> own = entity.of(wish.user());
        Space space = rules.spaces().get(wish.namespace());
        List<String> wanted =
                ordered(wish.reactions().stream().map(each -> key(space, each)).toList());
        List<String> added = without(own, wanted);
        List<String> removed = without(wanted, own);
        Reply refusal =
                refusal(wish, wanted, added, entity.change(wish.user(), List.of(), removed));
        if (refusal == null) {
            refusal = violated(space, new Change("put", own, added, removed, entity));
        }
        return refusal == null
                ? done(wish, id, scope, entity, added, removed)
                : new Refused(refusal);
    }

    private static List<String> without(List<String> some, List<String> all) {
        return all.stream().filter(each -> !some.contains(each)).toList();
    }

    /** Problem of an addition beside the reactions that are left; null if the rules allow it. */
    private Reply refusal(Put wish, List<String> wanted, List<String> added, Entity left) {
        Space space = rules.spaces().get(wish.namespace());
        if (added.isEmpty()) {
            return null;
        }
        if (space == null) {
            return Reply.problem(403, "unknown-namespace", "refused", null, null);
        }
        if (!added.stream().allMatch(each -> takes(space, each))) {
            return Reply.problem(403, "unknown-reaction", "refused", null, null);
        }
        for (String reaction : added) {
            List<String> conflicting = rivals(space, reaction, wanted);
            if (!conflicting.isEmpty()) {
                return Reply.problem(
                        403, "conflicting-reaction", "refused", spelled(conflicting), null);
            }
        }
        Set<String> kinds = placed(space, left.kinds());
        int before = kinds.size();
        kinds.addAll(added);
        boolean fits = kinds.size() == before || kinds.size() <= space.limit();
        return fits && space.limit() > 0
                ? tooMany(space, wanted)
                : Reply.problem(403, "max-uniq-reactions", "refused", null, space.limit());
    }

    /** Reactions among some that exclude a reaction, in the order of the groups. */
    private static List<String> rivals(Space space, String reaction, List<String> among) {
        return space.groups().stream()
                .map(ReferenceModel::keys)
                .filter(group -> group.contains(reaction))
                .flatMap(List::stream)
                .filter(other -> !other.equals(reaction))
                .filter(among::contains)
                .distinct()
                .toList();
    }

    /** Problem of an addition; null if the rules allow it. */
    Reply refusal(Entity entity, Write wish, List<String> conflicting) {
        Space space = rules.spaces().get(wish.namespace());
        String reaction = key(space, wish.reaction());
        if (space == null) {
            return Reply.problem(403, "unknown-namespace", "refused", null, null);
        }
        if (!takes(space, reaction)) {
            return Reply.problem(403, "unknown-reaction", "refused", null, null);
        }
        if (entity.of(wish.user()).contains(reaction)) {
            return wish.existingIsFine()
                    ? null
                    : Reply.problem(403, "reaction-already-exists", "refused", null, null);
        }
        if (!wish.force() && !conflicting.isEmpty()) {
            return Reply.problem(
                    403, "conflicting-reaction", "refused", spelled(conflicting), null);
        }
        Entity without = entity.change(wish.user(), List.of(), conflicting);
        Set<String> left = placed(space, without.kinds());
        boolean fits = left.contains(reaction) || left.size() < space.limit();
        List<String> own = new ArrayList<>(without.of(wish.user()));
        own.add(reaction);
        return fits && space.limit() > 0
                ? tooMany(space, own)
                : Reply.problem(403, "max-uniq-reactions", "refused", null, space.limit());
    }

    /** The user's own reactions that exclude the new one, in the order of the groups. */
    private List<String> conflicting(Entity entity, Write wish) {
        Space space = rules.spaces().get(wish.namespace());
        String reaction = key(space, wish.reaction());
        return space == null ? List.of() : rivals(space, reaction, entity.of(wish.user()));
    }

    private Reply answer(Write wish, Done done) {
        var members = new LinkedHashMap<String, Object>();
        members.put("status", "ok");
        if (wish.represent()) {
            members.put("outcome", done.outcome());
            members.put("added", spelledOf(wish.user(), done.after, done.added));
            members.put("removed", spelled(done.removed));
            members.put(
                    "entity", view(wish.namespace(), wish.entity(), done.after, wish.user(), true));
        }
        return Reply.of(200, members);
    }

    private Reply answer(Put wish, Done done) {
        var members = new LinkedHashMap<String, Object>();
        members.put("status", "ok");
        members.put("outcome", done.outcome());
        members.put("added", spelledOf(wish.user(), done.after, done.added));
        members.put("removed", spelled(done.removed));
        members.put(
                "unchanged",
                spelledOf(
                        wish.user(), done.after, without(done.added, done.after.of(wish.user()))));
        members.put("entity", view(wish.namespace(), wish.entity(), done.after, wish.user(), true));
        return Reply.of(200, members);
    }

    private Reply read(Read wish) {
        if (!wish.user().isEmpty() && !wellFormed(wish.user())) {
            return Reply.problem(400, "malformed-request", null, null, null);
        }
        if (!rules.spaces().containsKey(wish.namespace())) {
            return Reply.problem(404, "unknown-namespace", null, null, null);
        }
        var id = new EntityId(wish.namespace(), wish.entity());
        Entity entity = entities.getOrDefault(id, Entity.NEW);
        return Reply.of(
                200, view(wish.namespace(), wish.entity(), entity, wish.user(), wish.details()));
    }

    private Map<String, Object> view(
            String namespace, String id, Entity entity, String user, boolean details) {
        Space space = rules.spaces().get(namespace);
        List<String> kinds =
                entity.kinds().stream()
                        .sorted(
                                Comparator.comparingLong(entity::count)
                                        .reversed()
                                        .thenComparing(kind -> entity.times.get(kind).first)
                                        .thenComparing(kind -> position(space, kind)))
                        .toList();
        var view = new LinkedHashMap<String, Object>();
        view.put("entity_id", id);
        var counts = new ArrayList<Map<String, Object>>();
        for (String kind : kinds) {
            var count = new LinkedHashMap<String, Object>();
            count.put("reaction_id", spellings.get(kind));
            count.put("count", entity.count(kind));
            if (details) {
                count.put("first_reacted_at", symbol("t", entity.times.get(kind).first));
                count.put("last_reacted_at", symbol("t", entity.times.get(kind).last));
                if (space == null || !takes(space, kind)) {
                    count.put("retired", true);
                }
            }
            counts.add(count);
        }
        view.put("reactions_count", counts);
        if (!user.isEmpty()) {
            var own = new LinkedHashMap<String, Object>();
            own.put("user_id", user);
            own.put("reactions", spelledOf(user, entity, entity.of(user)));
            view.put("user_reactions", own);
        }
        if (details) {
            view.put("version", symbol("v", entity.changes));
            view.put("total", entity.rows.size());
            rate(entity, view);
        }
        return view;
    }

    private static int position(Space space, String kind) {
        int position = space == null ? 0 : keys(space.set()).indexOf(kind);
        return position < 0 ? space.set().size() : position;
    }

    private static String symbol(String kind, long change) {
        return "%s%03d".formatted(kind, change);
    }

    private void rate(Entity entity, Map<String, Object> view) {
        List<BigDecimal> ratings =
                entity.rows.stream()
                        .map(row -> rules.values().get(spellings.get(row.reaction)))
                        .filter(value -> value != null)
                        .map(BigDecimal::valueOf)
                        .toList();
        if (!ratings.isEmpty()) {
            BigDecimal sum = ratings.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            var number = BigDecimal.valueOf(ratings.size());
            view.put("sum", plain(sum));
            view.put("average", plain(sum.divide(number, 4, RoundingMode.HALF_UP)));
        }
    }

    /** Formats a number without exponent or trailing zeros. */
    private static BigDecimal plain(BigDecimal number) {
        return new BigDecimal(number.stripTrailingZeros().toPlainString());
    }

    /** Reactions of a user, each with the skin tones that the user gave it. */
    private List<String> spelledOf(String user, Entity entity, List<String> keys) {
        return keys.stream()
                .map(
                        key ->
                                entity.rows.stream()
                                        .filter(row -> row.user.equals(user))
                                        .filter(row -> row.reaction.equals(key))
                                        .map(row -> row.form)
                                        .map(form -> spellings.getOrDefault(form, form))
                                        .findFirst()
                                        .orElseThrow())
                .toList();
    }

    private List<String> spelled(List<String> keys) {
        return keys.stream().map(spellings::get).toList();
    }

    private static List<String> keys(List<String> reactions) {
        return reactions.stream().map(ReferenceModel::key).toList();
    }
}
