package dev.ovation.openapi;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Reduces the document to the operations of some tags, and to the components that they use. */
final class DocumentScope {

    private final Predicate<Object> tags;

    private DocumentScope(Predicate<Object> tags) {
        this.tags = tags;
    }

    /** A copy of the document with the operations of the accepted tags only. */
    static Map<String, Object> of(Map<String, Object> tree, Predicate<Object> tags) {
        return new DocumentScope(tags).reduced(tree);
    }

    private Map<String, Object> reduced(Map<String, Object> tree) {
        var reduced = new LinkedHashMap<>(tree);
        reduced.put(
                "tags",
                ((List<?>) tree.getOrDefault("tags", List.of()))
                        .stream().filter(each -> tags.test(map(each).get("name"))).toList());
        Map<String, Object> paths = paths(map(tree.get("paths")));
        reduced.put("paths", paths);
        reduced.put("components", components(map(tree.get("components")), used(tree, paths)));
        return reduced;
    }

    private Map<String, Object> paths(Map<String, Object> all) {
        var paths = new LinkedHashMap<String, Object>();
        all.forEach(
                (path, item) -> {
                    var operations = new LinkedHashMap<>(map(item));
                    operations
                            .values()
                            .removeIf(
                                    each ->
                                            ((List<?>) map(each).getOrDefault("tags", List.of()))
                                                    .stream().noneMatch(tags));
                    if (!operations.isEmpty()) {
                        paths.put(path, operations);
                    }
                });
        return paths;
    }

    private static Map<String, Object> components(Map<String, Object> all, Set<String> used) {
        var components = new LinkedHashMap<String, Object>();
        all.forEach(
                (kind, named) -> {
                    var kept = new LinkedHashMap<>(map(named));
                    String prefix = "#/components/" + kind + "/";
                    if (!kind.equals("securitySchemes")) { // these are named without a reference
                        kept.keySet().removeIf(name -> !used.contains(prefix + name));
                    }
                    components.put(kind, kept);
                });
        return components;
    }

    /** All references in the paths, and in the components that they name. */
    private static Set<String> used(Map<String, Object> tree, Map<String, Object> paths) {
        var used = new LinkedHashSet<String>();
        Deque<Object> open = new ArrayDeque<>(List.of(paths));
        while (!open.isEmpty()) {
            for (String reference : references(open.pop())) {
                if (used.add(reference)) {
                    open.push(FlatSchemas.named(tree, reference));
                }
            }
        }
        return used;
    }

    private static List<String> references(Object value) {
        var found = new ArrayList<String>();
        if (value instanceof Map<?, ?> map) {
            if (map.get("$ref") instanceof String reference) {
                found.add(reference);
            }
            map.values().forEach(each -> found.addAll(references(each)));
        } else if (value instanceof List<?> list) {
            list.forEach(each -> found.addAll(references(each)));
        }
        return found;
    }

    @SuppressWarnings("unchecked") // of a document, whose keys are texts
    private static Map<String, Object> map(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }
}
