package dev.ovation.simulation;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A mapping in a configuration file. Each error names the file and the key. */
final class Section {

    private final String file;
    private final String path;
    private final Map<?, ?> values;

    private Section(String file, String path, Object value, String... keys) {
        this.file = file;
        this.path = path;
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong(path.isEmpty() ? "the file" : path, "must be a mapping of its keys");
        }
        this.values = map;
        for (Object key : map.keySet()) {
            if (!List.of(keys).contains(key)) {
                throw wrong(
                        at(key.toString()), "is not known; known are " + String.join(", ", keys));
            }
        }
    }

    /**
     * Reads a file.
     *
     * @param file its name, for messages
     * @param text its content, YAML or JSON
     * @param keys the allowed keys
     * @throws IllegalArgumentException if it is not readable, or has another key
     */
    static Section of(String file, String text, String... keys) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try {
            return new Section(file, "", new Yaml(new SafeConstructor(options)).load(text), keys);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(file + ": is not YAML: " + e.getMessage(), e);
        }
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    /** A mapping in which only these keys are allowed. */
    Section section(String key, String... keys) {
        return new Section(file, at(key), needed(key), keys);
    }

    /** A list, with at least one item, of mappings in which only these keys are allowed. */
    List<Section> sections(String key, String... keys) {
        if (!(needed(key) instanceof List<?> items) || items.isEmpty()) {
            throw wrong(at(key), "must be a list with an item at least");
        }
        var sections = new ArrayList<Section>();
        for (Object item : items) {
            sections.add(new Section(file, at(key) + "[" + sections.size() + "]", item, keys));
        }
        return sections;
    }

    /** A whole number from {@code least} to {@code most}. */
    int number(String key, int least, int most) {
        if (needed(key) instanceof Integer number && number >= least && number <= most) {
            return number;
        }
        throw wrong(at(key), "must be a whole number from " + least + " to " + most);
    }

    int number(String key, int least, int most, int otherwise) {
        return has(key) ? number(key, least, most) : otherwise;
    }

    /** Any whole number. */
    long seed(String key) {
        if (needed(key) instanceof Number number && number.longValue() == number.doubleValue()) {
            return number.longValue();
        }
        throw wrong(at(key), "must be a whole number");
    }

    String text(String key) {
        if (needed(key) instanceof String text && !text.isBlank()) {
            return text;
        }
        throw wrong(at(key), "must be a text");
    }

    boolean flag(String key) {
        return switch (values.get(key)) {
            case null -> false;
            case Boolean flag -> flag;
            default -> throw wrong(at(key), "must be true or false");
        };
    }

    private Object needed(String key) {
        Object value = values.get(key);
        if (value == null) {
            throw wrong(at(key), "is missing");
        }
        return value;
    }

    /** An error of this file. */
    IllegalArgumentException wrong(String where, String what) {
        return new IllegalArgumentException(file + ": " + where + " " + what);
    }

    /** The full name of a key. */
    String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
