package dev.ovation.model;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A configuration.
 *
 * @param name its name in the report of a failure
 * @param values value of each reaction in a rating, by its id; null for reactions that do not rate
 * @param spaces the namespaces by their id
 */
record Ruleset(String name, Map<String, Double> values, Map<String, Space> spaces) {

    /**
     * The rules of a namespace: its reactions, its limit of distinct ones, and its exclusive
     * groups.
     */
    record Space(List<String> set, int limit, List<List<String>> groups) {}

    @Override
    public String toString() {
        return name;
    }

    /** Writes the three files; JSON is YAML. */
    void write(Path folder) {
        var sets = new ArrayList<Map<String, Object>>();
        var namespaces = new ArrayList<Map<String, Object>>();
        new TreeMap<>(spaces)
                .forEach(
                        (id, space) -> {
                            sets.add(Map.of("id", "set of " + id, "reaction_ids", space.set()));
                            namespaces.add(namespace(id, space));
                        });
        write(folder, "reactions", values.entrySet().stream().map(Ruleset::reaction).toList());
        write(folder, "reaction_sets", sets);
        write(folder, "namespaces", namespaces);
    }

    private static Map<String, Object> reaction(Map.Entry<String, Double> reaction) {
        var item = new LinkedHashMap<String, Object>();
        item.put("id", reaction.getKey());
        item.put("type", "custom");
        item.put("url", "https://example.com/reaction.webp");
        if (reaction.getValue() != null) {
            item.put("value", reaction.getValue());
        }
        return item;
    }

    private static Map<String, Object> namespace(String id, Space space) {
        return Map.of(
                "id",
                id,
                "reaction_set_id",
                "set of " + id,
                "max_uniq_reactions",
                space.limit(),
                "mutually_exclusive_reactions",
                space.groups());
    }

    private static void write(Path folder, String name, List<?> items) {
        try {
            Files.writeString(
                    folder.resolve(name + ".yaml"), JsonMapper.shared().writeValueAsString(items));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
