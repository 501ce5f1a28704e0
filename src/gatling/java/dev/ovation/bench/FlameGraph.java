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
 * Draws where processor time goes: {@code <recording> <html file>}. The samples of a JFR recording
 * as a flame graph, callers above what they call; a click shows a frame at full width, another one
 * all. The samples are those of processor time, which native code has too, or where there are none
 * (on other systems than Linux) those of Java code that runs.
 */
public final class FlameGraph {

    private static final double THINNEST = 0.001; // of the whole; less is not drawn

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
                    default -> {} // of something else
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

    /** Adds a sample: what runs first, then its callers. */
    void add(List<String> stack) {
        var frame = this;
        frame.samples++;
        for (String name : stack.reversed()) {
            frame = frame.callees.computeIfAbsent(name, _ -> new FlameGraph());
            frame.samples++;
        }
    }

    /** How often a frame was seen that is reached by these calls, the outermost first. */
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
        // What the frame did itself keeps its callees as wide as they are.
        page.append("<i style=\"flex:%d\"></i></div></div>\n".formatted(samples - inside));
    }
}
