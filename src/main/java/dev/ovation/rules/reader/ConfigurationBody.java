package dev.ovation.rules.reader;

import dev.ovation.entity.Ids;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.SeasonalReaction;
import dev.ovation.rules.reader.Documents.UnreadableException;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads a configuration from a request. Case, underscores and the plural of keys do not matter
 * ({@code ReactionSet} is {@code reaction_sets}), and null counts as absent.
 */
public final class ConfigurationBody {

    private static final String BODY = "body";
    private static final List<String> NAMES = List.of("reactions", "reaction_sets", "namespaces");

    private ConfigurationBody() {}

    /**
     * Reads one JSON object with the lists {@code reactions}, {@code reaction_sets} and {@code
     * namespaces}; an absent list is empty, as are all three when the body is null.
     *
     * @throws InvalidConfigurationException with all violations
     */
    public static LoadedConfiguration json(byte[] body) {
        return read(body, documents -> documents.json(BODY, body));
    }

    /**
     * Reads one YAML document of the same form as for {@link #json}.
     *
     * @throws InvalidConfigurationException with all violations
     */
    public static LoadedConfiguration yaml(byte[] body) {
        return read(body, documents -> documents.yaml(BODY, body));
    }

    /**
     * Reads a gzip tar of the three YAML files, in any folder. Violations name the files.
     *
     * @throws InvalidConfigurationException with all violations
     */
    public static LoadedConfiguration archive(byte[] body) {
        ViolationCollector problems = new ViolationCollector();
        return ConfigurationFiles.read(
                ConfigurationArchive.files(BODY, body, problems), false, problems);
    }

    /**
     * Reads one JSON object with {@code reaction_set_id} and {@code reaction}, which must have
     * {@code available}.
     *
     * @throws InvalidConfigurationException with all violations
     */
    public static SeasonalReaction seasonal(byte[] body) {
        ViolationCollector problems = new ViolationCollector();
        Documents documents = new Documents(false, problems);
        try {
            SeasonalReaction read = seasonal(documents.value(BODY, documents.json(BODY, body)));
            problems.throwIfAny();
            if (read != null) {
                return read;
            }
        } catch (UnreadableException e) {
            problems.throwIfAny();
        }
        throw new IllegalStateException("an invalid body without a violation");
    }

    private static @Nullable SeasonalReaction seasonal(DocumentValue body) {
        ConfiguredItem item =
                ConfiguredItem.of(
                        body, "seasonal reaction", List.of("reaction_set_id", "reaction"));
        if (item == null) {
            return null;
        }
        String set = item.requiredText("reaction_set_id", Ids.MAX_BYTES);
        DocumentValue value = item.fields().get("reaction");
        if (value == null) {
            item.problem("reaction", "is missing");
            return null;
        }
        ReactionDefinition reaction = new ConfigurationReader(body.problems()).reaction(value);
        if (reaction != null && reaction.available() == null) {
            value.problem("reaction needs a season or an audience: available");
        }
        return set == null || reaction == null ? null : new SeasonalReaction(set, reaction);
    }

    private static LoadedConfiguration read(byte[] body, Function<Documents, @Nullable Node> tree) {
        ViolationCollector problems = new ViolationCollector();
        Documents documents = new Documents(false, problems);
        Map<String, @Nullable List<DocumentValue>> lists = new LinkedHashMap<>();
        try {
            Node root = tree.apply(documents);
            Map<String, DocumentValue> fields = root == null ? Map.of() : fields(documents, root);
            for (String name : NAMES) {
                DocumentValue value = fields.get(name);
                lists.put(name, value == null ? List.of() : value.list(name));
            }
        } catch (UnreadableException e) {
            // Recorded as a violation already.
        }
        RuleSet configuration =
                new ConfigurationReader(problems)
                        .read(
                                lists.get("reactions"),
                                lists.get("reaction_sets"),
                                lists.get("namespaces"));
        return new LoadedConfiguration(configuration, LoadedConfiguration.hash(Map.of(BODY, body)));
    }

    private static Map<String, DocumentValue> fields(Documents documents, Node root) {
        DocumentValue value = documents.value(BODY, root);
        Map<String, DocumentValue> fields =
                value.isNull() ? Map.of() : value.mapping("the body", NAMES);
        return fields == null ? Map.of() : fields;
    }
}
