package dev.ovation.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The metrics and labels that a PromQL expression names. */
record PromQl(List<Selector> selectors, Set<String> grouping) {

    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
    private static final Pattern GROUPING =
            Pattern.compile(
                    "\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
    private static final Pattern SELECTOR =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:(\\s*\\()|\\s*\\{([^}]*)})?");
    private static final Pattern MATCHER =
            Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

    /** Labels that Prometheus adds to what it scrapes. */
    private static final Set<String> OF_TARGETS = Set.of("job", "instance");

    /** A condition on a label: one of {@code =}, {@code !=}, {@code =~} and {@code !~}. */
    record Matcher(String label, String operator, String value) {}

    /** A metric, with conditions on its labels. */
    record Selector(String metric, List<Matcher> matchers) {}

    /** The series of a scrape: for each name, the labels of its series. */
    record Scrape(Map<String, List<Map<String, String>>> series) {

        private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

        static Scrape of(String text) {
            var series = new HashMap<String, List<Map<String, String>>>();
            text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(
                            line ->
                                    series.computeIfAbsent(
                                                    line.split("[{ ]", 2)[0],
                                                    _ -> new ArrayList<>())
                                            .add(labels(line)));
            return new Scrape(series);
        }

        private static Map<String, String> labels(String line) {
            return LABEL.matcher(line)
                    .results()
                    .collect(
                            Collectors.toMap(
                                    label -> label.group(1), label -> label.group(2), (a, _) -> a));
        }
    }

    static PromQl of(String expression) {
        String text = RANGE.matcher(expression).replaceAll("");
        var grouping = new TreeSet<String>();
        for (MatchResult group : GROUPING.matcher(text).results().toList()) {
            grouping.addAll(Arrays.asList(group.group(1).split("\\s*,\\s*")));
        }
        text = GROUPING.matcher(text).replaceAll(" ");
        var selectors = new ArrayList<Selector>();
        for (MatchResult found : SELECTOR.matcher(text).results().toList()) {
            boolean function = found.group(2) != null;
            if (!function && !OPERATORS.contains(found.group(1))) {
                selectors.add(new Selector(found.group(1), matchers(found.group(3))));
            }
        }
        return new PromQl(selectors, grouping);
    }

    private static List<Matcher> matchers(String braces) {
        return braces == null
                ? List.of()
                : MATCHER.matcher(braces)
                        .results()
                        .map(each -> new Matcher(each.group(1), each.group(2), each.group(3)))
                        .toList();
    }

    /**
     * Returns what the expression names and the scrape does not have.
     *
     * @param others names of metrics that other programs export
     * @param values whether a label of a metric, as {@code metric.label}, must have a series with
     *     the value that the expression names
     */
    List<String> missing(Scrape scrape, Predicate<String> others, Predicate<String> values) {
        var missing = new ArrayList<String>();
        Set<String> labels = new TreeSet<>();
        for (Selector selector : selectors) {
            List<Map<String, String>> series = scrape.series().get(selector.metric());
            if (others.test(selector.metric())) {
                return List.of();
            }
            if (series == null) {
                missing.add(selector.metric());
                continue;
            }
            series.forEach(each -> labels.addAll(each.keySet()));
            for (Matcher matcher : selector.matchers()) {
                boolean checked =
                        matcher.operator().startsWith("=")
                                && values.test(selector.metric() + "." + matcher.label());
                if (!OF_TARGETS.contains(matcher.label())
                        && series.stream().noneMatch(each -> fits(each, matcher, checked))) {
                    missing.add(selector.metric() + "." + matcher);
                }
            }
        }
        grouping.stream()
                .filter(label -> !OF_TARGETS.contains(label))
                .filter(label -> !labels.contains(label.replace("exported_", "")))
                .forEach(missing::add);
        return missing;
    }

    private static boolean fits(Map<String, String> series, Matcher matcher, boolean checked) {
        String value = series.get(matcher.label());
        Function<String, Boolean> matches =
                matcher.operator().equals("=~")
                        ? text -> text.matches(matcher.value())
                        : text -> text.equals(matcher.value());
        return value != null && (!checked || matches.apply(value));
    }
}
