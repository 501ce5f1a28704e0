package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.DocumentValue.quote;

import dev.ovation.entity.Ids;
import dev.ovation.rules.Availability;
import dev.ovation.rules.KeyResolver;
import dev.ovation.rules.Namespace;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionKey;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.ReactionSet.Openness;
import dev.ovation.rules.ReactionSet.SkinTones;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.constraint.AttributeType;
import dev.ovation.rules.constraint.Constraint;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks the three lists and creates a configuration from them, every reaction in its configured
 * spelling. An invalid item is still known by its id, so that one mistake is one violation.
 */
final class ConfigurationReader {

    /** Greatest number of pairs that exclude each other, because memory holds all of them. */
    private static final int MAX_EXCLUSIONS = 1_000_000;

    private static final int MAX_URL_BYTES = 2_048;

    /** URLs that clients may put into pages: they run no code and are fetched encrypted. */
    private static final Pattern URL =
            Pattern.compile("(https://|data:image/)\\S+", Pattern.CASE_INSENSITIVE);

    private record Definition(String spelling, int line) {}

    private final ViolationCollector problems;
    private final List<ReactionDefinition> reactions = new ArrayList<>();
    private final List<ReactionSet> reactionSets = new ArrayList<>();
    private final List<Namespace> namespaces = new ArrayList<>();

    private final Map<String, ReactionDefinition> readByKey = new HashMap<>();
    private final Map<String, Definition> reactionsByKey = new HashMap<>();
    private final Map<String, Definition> setsById = new HashMap<>();
    private final Map<String, Definition> namespacesById = new HashMap<>();
    private final Map<String, Set<String>> keysBySet = new HashMap<>();
    private long exclusions;

    ConfigurationReader(ViolationCollector problems) {
        this.problems = problems;
    }

    /**
     * Reads lists. A null list could not be read, which is a violation already; references to it
     * are not checked.
     *
     * @throws InvalidConfigurationException if there is a violation, of this method or of earlier
     *     ones
     */
    RuleSet read(
            @Nullable List<DocumentValue> reactionValues,
            @Nullable List<DocumentValue> setValues,
            @Nullable List<DocumentValue> namespaceValues) {
        boolean reactionsKnown = reactionValues != null;
        boolean setsKnown = setValues != null;
        orEmpty(reactionValues).forEach(this::addReaction);
        orEmpty(setValues).forEach(value -> reactionSet(value, reactionsKnown));
        orEmpty(namespaceValues).forEach(value -> namespace(value, reactionsKnown, setsKnown));
        problems.throwIfAny();
        return new RuleSet(reactions, reactionSets, namespaces);
    }

    private static List<DocumentValue> orEmpty(@Nullable List<DocumentValue> values) {
        return values == null ? List.of() : values;
    }

    private void addReaction(DocumentValue value) {
        ReactionDefinition reaction = reaction(value);
        if (reaction != null) {
            reactions.add(reaction);
            readByKey.putIfAbsent(ReactionKey.of(reaction.id()), reaction);
        }
    }

    /** Reads a reaction; null when it has no id or no type. */
    @Nullable ReactionDefinition reaction(DocumentValue value) {
        List<String> names =
                List.of("id", "type", "code", "url", "short_name", "value", "available");
        ConfiguredItem item = ConfiguredItem.of(value, "reaction", names);
        if (item == null) {
            return null;
        }
        String id = item.requiredText("id", Ids.MAX_BYTES);
        if (id != null) {
            String key = ReactionKey.of(id);
            if (key.equals("\uFE0F")) {
                item.problem("id", "must hold more than U+FE0F");
            }
            define(reactionsByKey, key, id, item);
        }
        String type = item.requiredText("type", Ids.MAX_BYTES);
        if (type != null && !type.equals("unicode") && !type.equals("custom")) {
            item.problem("type", "must be unicode or custom, not " + quote(type));
            type = null;
        }
        String code =
                "unicode".equals(type)
                        ? item.requiredText("code", Ids.MAX_BYTES)
                        : item.optionalText("code", Ids.MAX_BYTES);
        String url =
                "custom".equals(type)
                        ? item.requiredText("url", MAX_URL_BYTES)
                        : item.optionalText("url", MAX_URL_BYTES);
        if (url != null && !url.isEmpty() && !URL.matcher(url).matches()) {
            item.problem("url", "must begin with https:// or data:image/, not " + quote(url));
        }
        String shortName = item.optionalText("short_name", Ids.MAX_BYTES);
        BigDecimal number = item.optionalNumber("value");
        Availability available = AvailabilityReader.read(item);
        return id == null || type == null
                ? null
                : new ReactionDefinition(id, shortName, type, code, url, number, available);
    }

    private void reactionSet(DocumentValue value, boolean reactionsKnown) {
        ConfiguredItem item =
                ConfiguredItem.of(
                        value, "reaction set", List.of("id", "reaction_ids", "open", "skin_tones"));
        if (item == null) {
            return;
        }
        String id = item.requiredText("id", Ids.MAX_BYTES);
        boolean first = id != null && define(setsById, id, id, item);
        Openness open = choice(item, "open", Openness.class);
        SkinTones tones = choice(item, "skin_tones", SkinTones.class);
        List<DocumentValue> values = item.requiredList("reaction_ids");
        if (values == null) {
            return;
        }
        Map<String, String> members =
                references(
                        values,
                        item.name("reaction_ids"),
                        key -> !reactionsKnown || reactionsByKey.containsKey(key),
                        "is not defined");
        if (first && id != null) {
            keysBySet.put(id, members.keySet());
            reactionSets.add(new ReactionSet(id, List.copyOf(members.values()), open, tones));
        }
    }

    private void namespace(DocumentValue value, boolean reactionsKnown, boolean setsKnown) {
        List<String> names =
                List.of(
                        "id",
                        "reaction_set_id",
                        "max_uniq_reactions",
                        "mutually_exclusive_reactions",
                        "max_reactions_per_user",
                        "attributes",
                        "constraints");
        ConfiguredItem item = ConfiguredItem.of(value, "namespace", names);
        if (item == null) {
            return;
        }
        String id = item.requiredText("id", Ids.MAX_BYTES);
        if (id != null && !Ids.isNamespace(id)) {
            item.problem("id", "must be 1 to 64 of the characters A-Z a-z 0-9 . _ -");
        }
        if (id != null) {
            define(namespacesById, id, id, item);
        }
        String setId = item.requiredText("reaction_set_id", Ids.MAX_BYTES);
        if (setId != null && setsKnown && !setsById.containsKey(setId)) {
            item.problem(
                    "reaction_set_id", "names %s, which is not defined".formatted(quote(setId)));
        }
        Integer limit = item.requiredCount("max_uniq_reactions");
        Integer own = item.optionalCount("max_reactions_per_user");
        Set<String> keys = setId == null ? null : keysBySet.get(setId);
        List<List<String>> groups =
                keys == null
                        ? groups(
                                item,
                                key -> !reactionsKnown || reactionsByKey.containsKey(key),
                                "is not defined")
                        : groups(item, keys::contains, "is not in reaction set " + setId);
        ReactionSet set = item.fields().containsKey("constraints") ? set(setId) : null;
        var reader =
                set == null
                        ? new ConstraintReader(item, ReactionKey::of, keys)
                        : new ConstraintReader(
                                item,
                                new KeyResolver(set, readByKey)::keyOf,
                                set.open() == null ? keys : null);
        Map<String, AttributeType.Declaration> attributes = reader.attributes();
        List<Constraint> constraints = reader.constraints(attributes);
        if (id != null && setId != null && limit != null) {
            namespaces.add(new Namespace(id, setId, limit, groups, own, attributes, constraints));
        }
    }

    private @Nullable ReactionSet set(@Nullable String id) {
        return reactionSets.stream().filter(set -> set.id().equals(id)).findFirst().orElse(null);
    }

    /** Reads one of the constants of a type, in lower case; null for none. */
    private static <E extends Enum<E>> @Nullable E choice(
            ConfiguredItem item, String field, Class<E> type) {
        String text = item.optionalText(field, Ids.MAX_BYTES);
        if (text == null) {
            return null;
        }
        for (E each : type.getEnumConstants()) {
            if (label(each).equals(text)) {
                return each;
            }
        }
        String labels =
                Arrays.stream(type.getEnumConstants())
                        .map(ConfigurationReader::label)
                        .collect(Collectors.joining(", "));
        item.problem(field, "must be one of %s, not %s".formatted(labels, quote(text)));
        return null;
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private List<List<String>> groups(
            ConfiguredItem item, Predicate<String> allowed, String otherwise) {
        String field = "mutually_exclusive_reactions";
        List<List<String>> groups = new ArrayList<>();
        for (DocumentValue value : orEmpty(item.optionalList(field))) {
            String name = "a group in " + item.name(field);
            Map<String, String> members =
                    references(orEmpty(value.list(name)), name, allowed, otherwise);
            groups.add(List.copyOf(members.values()));
            long before = exclusions;
            exclusions += (long) members.size() * (members.size() - 1);
            if (before <= MAX_EXCLUSIONS && exclusions > MAX_EXCLUSIONS) {
                value.problem(
                        "with %s, all groups make more than %d pairs"
                                .formatted(name, MAX_EXCLUSIONS));
            }
        }
        return groups;
    }

    /**
     * Returns the reactions of a list, by key in the list's order, in their configured spelling.
     */
    private Map<String, String> references(
            List<DocumentValue> values, String name, Predicate<String> allowed, String otherwise) {
        Map<String, String> spellings = new LinkedHashMap<>();
        for (DocumentValue value : values) {
            String id = value.text("a reaction in " + name);
            if (id == null) {
                continue;
            }
            String key = ReactionKey.of(id);
            Definition defined = reactionsByKey.get(key);
            String spelling = defined == null ? id : defined.spelling;
            if (!allowed.test(key)) {
                value.problem("%s names %s, which %s".formatted(name, quote(id), otherwise));
            } else if (spellings.putIfAbsent(key, spelling) != null) {
                value.problem("%s names %s twice".formatted(name, quote(id)));
            }
        }
        return spellings;
    }

    /** Returns whether the id is the first of its key; a second one is a violation. */
    private static boolean define(
            Map<String, Definition> definitions, String key, String id, ConfiguredItem item) {
        Definition first = definitions.putIfAbsent(key, new Definition(id, item.line("id")));
        if (first != null) {
            item.problem(
                    "id",
                    first.spelling.equals(id)
                            ? "is already defined in line " + first.line
                            : "is the reaction of line %d: they differ in U+FE0F or normal form only"
                                    .formatted(first.line));
        }
        return first == null;
    }
}
