package dev.ovation.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Draws growth: {@code <tsv file> <measure>}. Subjects are named {@code <series> <number>}. A
 * series is a line of its medians over the number, on a logarithmic axis. Writes an SVG beside the
 * file.
 */
final class Chart {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 320;
    private static final int LEFT = 60;
    private static final int BOTTOM = 40;
    private static final List<String> COLOURS =
            List.of("#1b6ca8", "#c8553d", "#588b3a", "#7a4fa3", "#8a8a8a");

    private final Map<String, NavigableMap<Double, Double>> series = new LinkedHashMap<>();
    private final String measure;

    Chart(Observations observations, String measure) {
        this.measure = measure;
        for (String subject : observations.subjects()) {
            int space = subject.lastIndexOf(' ');
            series.computeIfAbsent(subject.substring(0, space), _ -> new TreeMap<>())
                    .put(
                            Double.valueOf(subject.substring(space + 1)),
                            Statistics.median(observations.values(subject, measure)));
        }
    }

    public static void main(String... arguments) throws IOException {
        var file = Path.of(arguments[0]);
        String name = file.getFileName().toString().replaceFirst("tsv$", "svg");
        String svg = new Chart(Observations.read(file), arguments[1]).svg();
        Files.writeString(file.resolveSibling(name), svg);
    }

    String svg() {
        var picture = new StringBuilder();
        add(
                picture,
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'"
                        + " font-family='sans-serif' font-size='12'>",
                WIDTH,
                HEIGHT);
        add(picture, "<rect width='100%%' height='100%%' fill='white'/>");
        axes(picture);
        int number = 0;
        for (var line : series.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            var points = new StringBuilder();
            line.getValue().forEach((x, y) -> points.append(point(x, y)));
            add(
                    picture,
                    "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>",
                    points.toString().strip(),
                    colour);
            add(
                    picture,
                    "<text x='%d' y='%d' fill='%s'>%s</text>",
                    LEFT + 10,
                    18 + 16 * number++,
                    colour,
                    line.getKey());
        }
        return picture.append("</svg>\n").toString();
    }

    private void axes(StringBuilder picture) {
        for (double x = least(); x <= greatest(); x *= 10) {
            String label = String.format(Locale.ROOT, "%,.0f", x);
            add(
                    picture,
                    "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>",
                    left(x),
                    HEIGHT - BOTTOM + 18,
                    label);
        }
        for (int i = 0; i <= 4; i++) {
            double y = top() * i / 4;
            add(
                    picture,
                    "<path d='M%d %.1fH%d' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%s</text>",
                    LEFT,
                    down(y),
                    WIDTH - 20,
                    LEFT - 6,
                    down(y) + 4,
                    Report.number(y));
        }
        add(picture, "<text x='%d' y='%d'>%s</text>", LEFT, HEIGHT - 6, measure);
    }

    private String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", left(x), down(y));
    }

    private double left(double x) {
        double width = Math.max(1e-9, Math.log10(greatest()) - Math.log10(least()));
        return LEFT + 20 + (WIDTH - LEFT - 60) * (Math.log10(x) - Math.log10(least())) / width;
    }

    private double down(double y) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 90) * y / top();
    }

    private double least() {
        return series.values().stream().mapToDouble(NavigableMap::firstKey).min().orElseThrow();
    }

    private double greatest() {
        return series.values().stream().mapToDouble(NavigableMap::lastKey).max().orElseThrow();
    }

    private double top() {
        return series.values().stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
    }

    private static void add(StringBuilder picture, String form, Object... values) {
        picture.append(String.format(Locale.ROOT, form, values)).append('\n');
    }
}
