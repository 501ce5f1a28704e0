package dev.ovation.simulation;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.IllegalFormatException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the format of the thesis' simulation (<a
 * href="https://github.com/Deimvis/ReactionsStorage">Reactions Storage</a>, {@code
 * tests/simulation}), with the additional key {@code skew} of a topic. Its bounds keep any file's
 * load finite.
 */
final class ConfigReader {

    private static final int MANY = 10_000_000;
    private static final int LONG_MS = 600_000;
    private static final int SCREEN = 200;
    private static final Pattern SKEW = Pattern.compile("gaussian (0?\\.\\d+|1(\\.0+)?)");

    private ConfigReader() {}

    /**
     * Reads a file, or one of those that ship with the simulation.
     *
     * @param name path of a file, or the shipped one's name without {@code .yaml}
     * @throws IllegalArgumentException with file and key, if the file is invalid
     */
    static Config named(String name) {
        try {
            if (Files.isRegularFile(Path.of(name))) {
                Path file = Path.of(name);
                return read(file.getFileName().toString(), Files.readString(file));
            }
            String shipped = "/simulation/" + name + ".yaml";
            try (var stream = ConfigReader.class.getResourceAsStream(shipped)) {
                if (stream == null) {
                    throw new IllegalArgumentException(
                            "simulation.config: neither a file nor a shipped simulation: " + name);
                }
                var text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                return read(name + ".yaml", text);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("simulation.config: " + e, e);
        }
    }

    /** Reads the content of a file; {@code file} is its name. */
    static Config read(String file, String text) {
        var root = Section.of(file, text, "seed", "rules", "server", "prometheus_pushgateway");
        var rules = root.section("rules", "turns", "users", "topics");
        if (root.has("prometheus_pushgateway")) {
            var keys = new String[] {"host", "port", "ssl", "push_interval_s"};
            root.section("prometheus_pushgateway", keys);
            IO.println(file + ": prometheus_pushgateway is not used: nothing is pushed");
        }
        var users = users(rules);
        return new Config(
                file.replaceFirst("\\.[^.]*$", ""),
                root.seed("seed"),
                turns(rules),
                users,
                rules
                        .sections(
                                "topics",
                                "count",
                                "namespace_id",
                                "size",
                                "shuffle_per_user",
                                "skew")
                        .stream()
                        .map(topics -> topics(topics, users.visibleEntities()))
                        .toList(),
                root.has("server") ? Optional.of(server(root)) : Optional.empty());
    }

    private static Config.Turns turns(Section rules) {
        var turns = rules.section("turns", "count", "min_duration_ms");
        return new Config.Turns(
                turns.number("count", 1, 100_000), millis(turns, "min_duration_ms", 1));
    }

    private static Config.Users users(Section rules) {
        var users =
                rules.section(
                        "users",
                        "count",
                        "turn_start_skew_ms",
                        "id_template",
                        "screen",
                        "app",
                        "action_probs");
        var refresh =
                users.section("app", "background")
                        .section("background", "refresh_reactions")
                        .section("refresh_reactions", "timer_in_turns");
        return new Config.Users(
                users.number("count", 1, 10_000),
                millis(users, "turn_start_skew_ms", 0),
                users.has("id_template") ? template(users) : "user_%06d",
                users.section("screen", "visible_entities_count")
                        .number("visible_entities_count", 1, SCREEN),
                refresh.number("timer_in_turns", 1, MANY),
                weights(users));
    }

    private static String template(Section users) {
        String template = users.text("id_template");
        try {
            if (!template.formatted(1).equals(template.formatted(2))) {
                return template;
            }
        } catch (IllegalFormatException e) {
            // Reported below.
        }
        throw users.wrong(users.at("id_template"), "must have one place for a number, as %06d");
    }

    private static Config.Weights weights(Section users) {
        var probs =
                users.section(
                        "action_probs",
                        "switch_topic",
                        "scroll",
                        "add_reaction",
                        "remove_reaction",
                        "quit");
        return new Config.Weights(
                probs.number("switch_topic", 0, MANY, 0),
                probs.number("scroll", 0, MANY, 0),
                probs.number("add_reaction", 0, MANY, 0),
                probs.number("remove_reaction", 0, MANY, 0),
                probs.number("quit", 0, MANY, 0));
    }

    private static Config.Topics topics(Section topics, int screen) {
        boolean shuffle = topics.flag("shuffle_per_user");
        double skew = topics.has("skew") ? skew(topics) : 0;
        if (shuffle && skew > 0) {
            throw topics.wrong(topics.at("skew"), "says the order: shuffle_per_user must be false");
        }
        return new Config.Topics(
                topics.number("count", 1, 100_000),
                topics.text("namespace_id"),
                topics.number("size", screen, MANY),
                shuffle,
                skew);
    }

    private static double skew(Section topics) {
        var skew = SKEW.matcher(topics.text("skew"));
        if (skew.matches() && Double.parseDouble(skew.group(1)) > 0) {
            return Double.parseDouble(skew.group(1));
        }
        throw topics.wrong(topics.at("skew"), "must be as: gaussian 0.1 (above 0, at most 1)");
    }

    private static URI server(Section root) {
        var server = root.section("server", "host", "port", "ssl");
        String scheme = server.flag("ssl") ? "https" : "http";
        String address = server.text("host") + ":" + server.number("port", 1, 65_535);
        return URI.create(scheme + "://" + address);
    }

    private static Duration millis(Section section, String key, int least) {
        return Duration.ofMillis(section.number(key, least, LONG_MS));
    }
}
