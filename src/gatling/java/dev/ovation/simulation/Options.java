package dev.ovation.simulation;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * Options of the command line, each as {@code -D<name>=…}.
 *
 * @param config {@code simulation.config}, whose values {@code users} and {@code turns} override;
 *     {@code turns} are those measured
 * @param warmUp {@code warmup.turns}: turns before those that are measured
 * @param maxLag {@code max.lag}: the run ends when a user is more turns behind than this, and fails
 *     unless it compares strategies
 * @param keepAlive {@code keepalive}: whether connections serve more than one request
 * @param screens {@code reads}: {@code screen}, one read for all visible entities, or {@code
 *     entity}, one for each
 * @param running {@code baseUrl}, or {@code server=file} for the file's: a server that is already
 *     running
 * @param access the key and the authority of a running server
 * @param strategy {@code strategy}: the strategy that is started, on a filled database, if no
 *     server is given
 * @param remote {@code simulation.remote}: whether the server may be on another machine
 * @param profile {@code profile}: whether the service that is started is recorded
 * @param result {@code simulation.result}: the file for the result
 */
record Options(
        Config config,
        int warmUp,
        int maxLag,
        boolean keepAlive,
        boolean screens,
        Optional<URI> running,
        Access access,
        Optional<String> strategy,
        boolean remote,
        boolean profile,
        Path result) {

    /** Reads the options; missing ones have their defaults. */
    static Options of(Properties given) {
        var file = ConfigReader.named(given.getProperty("simulation.config", "newcomer"));
        var config =
                file.with(
                        number(given, "users", 1, 10_000, file.users().count()),
                        number(given, "turns", 1, 100_000, file.turns().count()));
        return new Options(
                config,
                number(given, "warmup.turns", 0, 10_000, 10),
                number(given, "max.lag", 0, 100_000, 30),
                choice(given, "keepalive", "true", "false"),
                !choice(given, "reads", "entity", "screen"),
                running(given, config),
                Access.of(given),
                Optional.ofNullable(given.getProperty("strategy")),
                !choice(given, "simulation.remote", "false", "true"),
                given.containsKey("profile") && !given.getProperty("profile").equals("false"),
                Path.of(given.getProperty("simulation.result", "target/simulation.json")));
    }

    private static Optional<URI> running(Properties given, Config config) {
        if (given.containsKey("baseUrl")) {
            return Optional.of(URI.create(given.getProperty("baseUrl")));
        }
        if (!given.containsKey("server")) {
            config.server().ifPresent(server -> tellIgnored(config.name(), server));
            return Optional.empty();
        }
        if (given.getProperty("server").equals("file") && config.server().isPresent()) {
            return config.server();
        }
        throw new IllegalArgumentException("server: must be file, and the file must name one");
    }

    private static void tellIgnored(String file, URI server) {
        IO.println(file + ": its server " + server + " is called only with -Dserver=file");
    }

    private static int number(Properties given, String name, int least, int most, int otherwise) {
        String text = given.getProperty(name, String.valueOf(otherwise));
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                name + ": must be a whole number from " + least + " to " + most + ": " + text);
    }

    /** Whether the value is the first of two, which is the default. */
    private static boolean choice(Properties given, String name, String first, String second) {
        String text = given.getProperty(name, first).toLowerCase(Locale.ROOT);
        if (!text.equals(first) && !text.equals(second)) {
            throw new IllegalArgumentException(
                    name + ": must be " + first + " or " + second + ": " + text);
        }
        return text.equals(first);
    }
}
