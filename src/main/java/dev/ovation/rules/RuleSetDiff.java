package dev.ovation.rules;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Describes the changes between two configurations. */
final class RuleSetDiff {

    private final List<String> changes = new ArrayList<>();

    private RuleSetDiff() {}

    static List<String> of(RuleSet older, RuleSet newer) {
        RuleSetDiff diff = new RuleSetDiff();
        diff.compare(
                "reaction",
                byId(older.reactions(), r -> ReactionKey.of(r.id())),
                byId(newer.reactions(), r -> ReactionKey.of(r.id())),
                RuleSetDiff::fields);
        diff.compare(
                "reaction set",
                byId(older.reactionSets(), ReactionSet::id),
                byId(newer.reactionSets(), ReactionSet::id),
                RuleSetDiff::fields);
        diff.compare(
                "namespace",
                byId(older.namespaces(), Namespace::id),
                byId(newer.namespaces(), Namespace::id),
                RuleSetDiff::fields);
        diff.compare(
                "seasonal reaction",
                byId(older.seasonal(), each -> each.key() + '\n' + each.reactionSetId()),
                byId(newer.seasonal(), each -> each.key() + '\n' + each.reactionSetId()),
                RuleSetDiff::fields);
        return List.copyOf(diff.changes);
    }

    private static <T> Map<String, T> byId(List<T> items, Function<T, String> id) {
        Map<String, T> map = new LinkedHashMap<>();
        items.forEach(item -> map.put(id.apply(item), item));
        return map;
    }

    private <T> void compare(
            String kind,
            Map<String, T> older,
            Map<String, T> newer,
            Function<T, Map<String, @Nullable Object>> fields) {
        newer.forEach(
                (id, item) -> {
                    T before = older.get(id);
                    Map<String, @Nullable Object> now = fields.apply(item);
                    String name = kind + " " + now.get("id");
                    if (before == null) {
                        changes.add(name + " added");
                    } else {
                        compare(name, fields.apply(before), now);
                    }
                });
        older.forEach(
                (id, item) -> {
                    if (!newer.containsKey(id)) {
                        changes.add(kind + " " + fields.apply(item).get("id") + " removed");
                    }
                });
    }

    private void compare(
            String name, Map<String, @Nullable Object> older, Map<String, @Nullable Object> newer) {
        newer.forEach(
                (field, value) -> {
                    Object before = older.get(field);
                    if (!Objects.equals(before, value)) {
                        changes.add(
                                "%s: %s %s -> %s"
                                        .formatted(name, field, shown(before), shown(value)));
                    }
                });
    }

    private static @Nullable String label(@Nullable Enum<?> constant) {
        return constant == null ? null : constant.name().toLowerCase(Locale.ROOT);
    }

    private static Object shown(@Nullable Object value) {
        return value == null ? "none" : value;
    }

    private static Map<String, @Nullable Object> fields(ReactionDefinition reaction) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", reaction.id());
        fields.put("type", reaction.type());
        fields.put("code", reaction.code());
        fields.put("url", reaction.url());
        fields.put("short_name", reaction.shortName());
        fields.put("value", reaction.value());
        fields.put("available", reaction.available());
        return fields;
    }

    private static Map<String, @Nullable Object> fields(SeasonalReaction seasonal) {
        Map<String, @Nullable Object> fields = fields(seasonal.reaction());
        fields.put(
                "id",
                "%s of reaction set %s"
                        .formatted(seasonal.reaction().id(), seasonal.reactionSetId()));
        return fields;
    }

    private static Map<String, @Nullable Object> fields(ReactionSet set) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", set.id());
        fields.put("reaction_ids", set.reactionIds());
        fields.put("open", label(set.open()));
        fields.put("skin_tones", label(set.skinTones()));
        return fields;
    }

    private static Map<String, @Nullable Object> fields(Namespace namespace) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", namespace.id());
        fields.put("reaction_set_id", namespace.reactionSetId());
        fields.put("max_uniq_reactions", namespace.maxUniqReactions());
        fields.put("mutually_exclusive_reactions", namespace.mutuallyExclusiveReactions());
        fields.put("max_reactions_per_user", namespace.maxReactionsPerUser());
        fields.put("attributes", namespace.attributes());
        fields.put("constraints", namespace.constraints());
        return fields;
    }
}
