package dev.ovation.bench;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws the use of processor time: {@code <recording> <html file>}. The samples of a JFR recording
 * become a flame graph with callers above callees; a click shows a frame at full width, another one
 * all frames. The samples are those of processor time, including native code. Recordings of systems
 * other than Linux lack them; then the samples are those of running Java code.
 */
public final class FlameGraph {

    private static final double THINNEST = 0.001; // share of the whole; smaller frames are omitted

    private static final String PAGE =
            """
            <!doctype html><meta charset="utf-8"><title>%1$s</title>
            <style>
            body { font: 11px sans-serif } .c { display: flex } .f { min-width: 0; overflow: hidden }
            .f > b { display: block; height: 15px; margin: 0 1px 1px 0; padding-left: 2px;
              font-weight: normal; white-space: nowrap; overflow: hidden; cursor: pointer }
            .off { display: none }
            </style>
            <h3>%1$s</h3>
            %2$s
            <script>
            let last;
            document.onclick = e => {
              document.querySelectorAll(".off").forEach(x => x.classList.remove("off"));
              if (e.target.tagName != "B" || e.target == last) { last = null; return; }
              last = e.target;
              for (let f = last.parentNode; f.parentNode.className == "c"; f = f.parentNode.parentNode)
                for (const s of f.parentNode.children) if (s != f) s.classList.add("off");
            };
            </script>
            """;

    private final Map<String, FlameGraph> callees = new TreeMap<>();
    private long samples;

    public static void main(String... arguments) throws IOException {
        draw(Path.of(arguments[0]), Path.of(arguments[1]));
    }

    /** Draws a recording into an HTML file. */
    public static void draw(Path recording, Path html) throws IOException {
        var time = new FlameGraph();
        var running = new FlameGraph();
        try (var file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                switch (event.getEventType().getName()) {
                    case "jdk.CPUTimeSample" -> time.add(event);
                    case "jdk.ExecutionSample" -> running.add(event);
                    default -> {} // another event
                }
            }
        }
        FlameGraph root = time.samples > 0 ? time : running;
        Files.writeString(html, root.html(recording.getFileName().toString()));
    }

    private void add(RecordedEvent event) {
        if (event.getStackTrace() != null) {
            add(event.getStackTrace().getFrames().stream().map(FlameGraph::name).toList());
        }
    }

    private static String name(RecordedFrame frame) {
        var method = frame.getMethod();
        String type = method.getType().getName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
    }

    /** Adds a sample: the running frame first, then its callers. */
    void add(List<String> stack) {
        var frame = this;
        frame.samples++;
        for (String name : stack.reversed()) {
            frame = frame.callees.computeIfAbsent(name, _ -> new FlameGraph());
            frame.samples++;
        }
    }

    /** Number of samples of a frame that these calls reach, the outermost first. */
    long samples(String... calls) {
        var frame = this;
        for (String name : calls) {
            frame = frame.callees.getOrDefault(name, new FlameGraph());
        }
        return frame.samples;
    }

    String html(String title) {
        var body = new StringBuilder();
        draw("all", samples, body);
        return PAGE.formatted(title, body);
    }

    private void draw(String name, long all, StringBuilder page) {
        if (samples < all * THINNEST) {
            return;
        }
        String text = name.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
        page.append("<div class=f style=\"flex:%d\">".formatted(samples))
                .append(
                        String.format(
                                Locale.ROOT,
                                "<b style=\"background:hsl(%d 80%% 75%%)\" title=\"%s: %.1f%%\">%s</b>",
                                20 + Math.floorMod(name.hashCode(), 40),
                                text,
                                100.0 * samples / all,
                                text))
                .append("<div class=c>");
        long inside = callees.values().stream().mapToLong(frame -> frame.samples).sum();
        callees.forEach((callee, frame) -> frame.draw(callee, all, page));
        // The frame's own share keeps its callees at their width.
        page.append("<i style=\"flex:%d\"></i></div></div>\n".formatted(samples - inside));
    }
}
