package dev.ovation.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A request with placeholders, in the syntax of {@code bench/load.lua}: {@code [<weight> ]<method>
 * <path>[ <body>]}. A number from a to b replaces <code>{a-b}</code>, a unique text replaces <code>
 * {n}</code>, and a counter that starts at {@code FROM} of the environment replaces <code>{+}
 * </code>. The variable {@code CREDENTIALS} names a file with one credential a line; requests use
 * them in turn.
 */
record Template(int weight, String method, String path, String body) {

    private static final Pattern FORM =
            Pattern.compile("(?:(\\d+) )?(GET|POST|DELETE) (\\S+)(?: (.*))?");
    private static final Pattern PLACE = Pattern.compile("\\{(?:(\\d+)-(\\d+)|(n)|\\+)}");
    private static final String RUN = Long.toString(System.currentTimeMillis(), 36);
    private static final AtomicLong UNIQUE = new AtomicLong();

    /** Initialised on first use: other programs may use {@code FROM} for another purpose. */
    private static final class Next {
        private static final AtomicLong NUMBER =
                new AtomicLong(Long.parseLong(System.getenv().getOrDefault("FROM", "1")));
    }

    /** Initialised on first use, only for loads with credentials. */
    private static final class Credentials {
        private static final List<String> ALL = all();
        private static final AtomicLong TURN = new AtomicLong();

        private static List<String> all() {
            String file = System.getenv("CREDENTIALS");
            try {
                return file == null ? List.of() : Files.readAllLines(Path.of(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** A header with a credential; empty if there are none. */
        static String header() {
            return ALL.isEmpty()
                    ? ""
                    : "Authorization: Bearer "
                            + ALL.get((int) (TURN.getAndIncrement() % ALL.size()))
                            + "\r\n";
        }
    }

    /** Parses a template. */
    static Template of(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("not a request: " + text);
        }
        int weight = match.group(1) == null ? 1 : Integer.parseInt(match.group(1));
        String body = match.group(4) == null ? "" : match.group(4);
        return new Template(weight, match.group(2), match.group(3), body);
    }

    /** Draws a template by weight. */
    static Template any(List<Template> templates) {
        int left =
                ThreadLocalRandom.current()
                        .nextInt(templates.stream().mapToInt(Template::weight).sum());
        for (Template template : templates) {
            left -= template.weight;
            if (left < 0) {
                return template;
            }
        }
        throw new AssertionError("weights do not add up");
    }

    /** The bytes of a request over HTTP/1.1, with all placeholders replaced. */
    byte[] request() {
        byte[] content = filled(body).getBytes(StandardCharsets.UTF_8);
        String head =
                method
                        + " "
                        + filled(path)
                        + " HTTP/1.1\r\nHost: localhost\r\n"
                        + Credentials.header();
        String length = content.length == 0 ? "" : "Content-Length: " + content.length + "\r\n";
        byte[] start = (head + length + "\r\n").getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[start.length + content.length];
        System.arraycopy(start, 0, whole, 0, start.length);
        System.arraycopy(content, 0, whole, start.length, content.length);
        return whole;
    }

    static String filled(String text) {
        return PLACE.matcher(text).replaceAll(Template::value);
    }

    private static String value(MatchResult place) {
        if (place.group(3) != null) {
            return RUN + "-" + UNIQUE.incrementAndGet();
        }
        if (place.group(1) == null) {
            return Long.toString(Next.NUMBER.getAndIncrement());
        }
        long from = Long.parseLong(place.group(1));
        long to = Long.parseLong(place.group(2));
        return Long.toString(ThreadLocalRandom.current().nextLong(from, to + 1));
    }
}
