package dev.ovation.strategies;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;

/** The strategies by their names. */
final class Strategies {

    /** In the order of the thesis. */
    static final List<String> NAMES = List.of("mvp", "runtime-join", "no-join", "async-join");

    private Strategies() {}

    /**
     * Returns a strategy.
     *
     * @param staleness notified of each read whose counts may be old
     */
    static Strategy named(String name, JdbcTemplate jdbc, Staleness staleness) {
        return switch (name) {
            case "mvp" -> new Mvp(jdbc);
            case "runtime-join" -> new RuntimeJoin(jdbc);
            case "no-join" -> new NoJoin(jdbc);
            case "async-join" -> new AsyncJoin(jdbc, staleness);
            default -> throw new IllegalArgumentException("no strategy " + name + ": " + NAMES);
        };
    }
}
