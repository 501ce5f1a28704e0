package dev.ovation.openapi;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Merges the {@code openapi.yaml} of each module into one tree. */
final class DocumentParts {

    private static final String PARTS = "classpath*:dev/ovation/*/openapi.yaml";

    /** The part with the version and the title, which the document begins with. */
    private static final String FIRST = "dev/ovation/openapi/openapi.yaml";

    private static final int MOST_ALIASES = 1000;

    private DocumentParts() {}

    /**
     * The parts as one tree of maps.
     *
     * @throws IOException when a part cannot be read
     * @throws IllegalStateException when two parts define the same element
     */
    static Map<String, Object> merged() throws IOException {
        var options = new LoaderOptions();
        options.setMaxAliasesForCollections(MOST_ALIASES);
        var yaml = new Yaml(new SafeConstructor(options));
        var whole = new LinkedHashMap<String, Object>();
        Resource[] parts = new PathMatchingResourcePatternResolver().getResources(PARTS);
        Arrays.sort(parts, Comparator.comparing(part -> !part.getDescription().contains(FIRST)));
        for (Resource part : parts) {
            try (InputStream in = part.getInputStream()) {
                Map<String, Object> read = yaml.load(in);
                merge(whole, read, part.getDescription());
            }
        }
        return whole;
    }

    private static void merge(Map<String, Object> into, Map<String, Object> part, String where) {
        part.forEach(
                (name, value) -> {
                    Object there = into.get(name);
                    if (there == null) {
                        into.put(name, copy(value));
                    } else if (there instanceof Map && value instanceof Map) {
                        merge(members(there), members(value), where);
                    } else {
                        throw new IllegalStateException(where + " defines again: " + name);
                    }
                });
    }

    /** Copies maps, because a YAML alias is one object in several places. */
    private static Object copy(Object value) {
        if (!(value instanceof Map)) {
            return value;
        }
        var copy = new LinkedHashMap<String, Object>();
        members(value).forEach((name, member) -> copy.put(name, copy(member)));
        return copy;
    }

    @SuppressWarnings("unchecked") // keys are quoted where they are not texts
    private static Map<String, Object> members(Object map) {
        return (Map<String, Object>) map;
    }
}
