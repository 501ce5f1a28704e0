package dev.ovation.model;

import dev.ovation.model.ReferenceModel.EntityId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Compares answers. Versions and times are opaque to the model. But equal changes must have equal
 * versions and times, and a later change a greater version and no earlier time. The end of a
 * version depends on the viewer and the content of the answer.
 */
final class Bindings {

    private static final Pattern OPAQUE =
            Pattern.compile("\"(version|first_reacted_at|last_reacted_at)\":\"([^\"]*)\"");

    private final Map<EntityId, TreeMap<Long, String>> versions = new HashMap<>();
    private final Map<EntityId, TreeMap<Long, String>> times = new HashMap<>();

    /** Returns the violation in an answer; null if there is none. */
    @Nullable String compare(EntityId entity, Reply expected, Reply actual) {
        if (expected.status() != actual.status()) {
            return "another status";
        }
        if (!masked(expected).equals(masked(actual))) {
            return "another body";
        }
        List<String> wanted = opaque(expected);
        List<String> given = opaque(actual);
        for (int i = 0; i < wanted.size(); i++) {
            String fault = bind(entity, wanted.get(i), given.get(i));
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    /** The time that answers showed for a change; null if none did. */
    @Nullable String time(EntityId entity, long change) {
        return times.getOrDefault(entity, new TreeMap<>()).get(change);
    }

    /** A version without its last part, which the model's version lacks. */
    private static String state(String version) {
        int end = version.lastIndexOf('.');
        return end < 0 ? version : version.substring(0, end);
    }

    private @Nullable String bind(EntityId entity, String symbol, String shown) {
        boolean time = symbol.startsWith("t");
        String value = time ? shown : state(shown);
        var bound = (time ? times : versions).computeIfAbsent(entity, _ -> new TreeMap<>());
        long change = Long.parseLong(symbol.substring(1));
        String before = bound.putIfAbsent(change, value);
        if (before != null && !before.equals(value)) {
            return symbol + " was " + before + " and is now " + value;
        }
        var lower = bound.lowerEntry(change);
        var higher = bound.higherEntry(change);
        int slack = time ? 1 : 0; // two changes may share a millisecond
        if (lower != null && lower.getValue().compareTo(value) >= slack) {
            return symbol + " is " + value + ", not after " + lower;
        }
        if (higher != null && value.compareTo(higher.getValue()) >= slack) {
            return symbol + " is " + value + ", not before " + higher;
        }
        return null;
    }

    private static String masked(Reply reply) {
        return OPAQUE.matcher(reply.body()).replaceAll("\"$1\":\"?\"");
    }

    private static List<String> opaque(Reply reply) {
        var values = new ArrayList<String>();
        var matcher = OPAQUE.matcher(reply.body());
        while (matcher.find()) {
            values.add(matcher.group(2));
        }
        return values;
    }
}
