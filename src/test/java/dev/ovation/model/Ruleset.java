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
     *
     * @param open the emoji of sequences that it takes besides, by key, in their full spelling;
     *     empty when it takes none
     * @param plain the keys of those with skin tones, and what they count as; empty when they count
     *     as they are
     * @param mine number of reactions that one user may have on an entity; null for no limit
     * @param conditions its constraints, in order
     */
    record Space(
            List<String> set,
            int limit,
            List<List<String>> groups,
            Map<String, String> open,
            Map<String, String> plain,
            Integer mine,
            List<Condition> conditions) {

        Space(List<String> set, int limit, List<List<String>> groups, Condition... conditions) {
            this(set, limit, groups, Map.of(), Map.of(), null, List.of(conditions));
        }
    }

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
                            sets.add(
                                    Map.of(
                                            "id",
                                            "set of " + id,
                                            "reaction_ids",
                                            space.set(),
                                            "open",
                                            space.open().isEmpty() ? "none" : "emoji",
                                            "skin_tones",
                                            space.plain().isEmpty() ? "keep" : "fold"));
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
        var item = new LinkedHashMap<String, Object>();
        item.put("id", id);
        item.put("reaction_set_id", "set of " + id);
        item.put("max_uniq_reactions", space.limit());
        item.put("mutually_exclusive_reactions", space.groups());
        if (space.mine() != null) {
            item.put("max_reactions_per_user", space.mine());
        }
        if (!space.conditions().isEmpty()) {
            item.put("constraints", space.conditions().stream().map(Ruleset::constraint).toList());
        }
        return item;
    }

    private static Map<String, Object> constraint(Condition condition) {
        return Map.of(
                "id", condition.id(),
                "expression", condition.expression(),
                "message", "the constraint " + condition.id());
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
