package dev.ovation.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Observations of a benchmark, one a line: subject, round, measure and value, separated by
 * tabulators.
 */
final class Observations {

    private final Map<String, Map<String, NavigableMap<Integer, Double>>> values =
            new LinkedHashMap<>();

    /** Parses the lines. */
    static Observations of(List<String> lines) {
        var observations = new Observations();
        for (String line : lines) {
            String[] fields = line.split("\t");
            observations
                    .values
                    .computeIfAbsent(fields[0], _ -> new LinkedHashMap<>())
                    .computeIfAbsent(fields[2], _ -> new TreeMap<>())
                    .put(Integer.valueOf(fields[1]), Double.valueOf(fields[3]));
        }
        return observations;
    }

    static Observations read(Path file) throws IOException {
        return of(Files.readAllLines(file));
    }

    /** Subjects in the order of their first observation. */
    Collection<String> subjects() {
        return values.keySet();
    }

    /** Measures of all subjects, in the order of their first observation. */
    List<String> measures() {
        return values.values().stream()
                .flatMap(measures -> measures.keySet().stream())
                .distinct()
                .toList();
    }

    /** One value a round. */
    Collection<Double> values(String subject, String measure) {
        return rounds(subject, measure).values();
    }

    /** A subject's value divided by another's of the same round, for each round that has both. */
    List<Double> ratios(String subject, String control, String measure) {
        var controls = rounds(control, measure);
        return rounds(subject, measure).entrySet().stream()
                .filter(round -> controls.containsKey(round.getKey()))
                .map(round -> round.getValue() / controls.get(round.getKey()))
                .toList();
    }

    private NavigableMap<Integer, Double> rounds(String subject, String measure) {
        return values.getOrDefault(subject, Map.of()).getOrDefault(measure, new TreeMap<>());
    }
}
