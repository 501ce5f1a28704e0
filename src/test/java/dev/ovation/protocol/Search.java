package dev.ovation.protocol;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;

import dev.ovation.model.Shrinker;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for a schedule that breaks a promise, and shortens what it finds. */
final class Search {

    private static final int SHRINKING = 3000;

    static {
        // What the shipped code has to say about a conflict is no news here.
        ((Logger) LoggerFactory.getLogger("dev.ovation.outbox")).setLevel(Level.OFF);
    }

    private final Set<Rule> broken;

    private Search(Set<Rule> broken) {
        this.broken = broken;
    }

    /** With all rules. */
    static Search withAllRules() {
        return new Search(EnumSet.noneOf(Rule.class));
    }

    /** Without one rule. */
    static Search without(Rule rule) {
        return new Search(EnumSet.of(rule));
    }

    /** Returns the first counter-example in so many schedules. */
    Optional<String> run(long firstSeed, int schedules) {
        for (long seed = firstSeed; seed < firstSeed + schedules; seed++) {
            var choices = Choices.random(seed);
            if (violation(choices, null) != null) {
                return Optional.of(counterExample(seed, choices.taken()));
            }
        }
        return Optional.empty();
    }

    /** Runs one schedule on other servers as well; tells the way to what differs. */
    static void replay(long seed, Servers.Kind servers) {
        var trace = new ArrayList<String>();
        try {
            new World(Choices.random(seed), Set.of(), servers, trace).run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "seed %d%n%s%n%s".formatted(seed, String.join("\n", trace), e.getMessage()), e);
        }
    }

    private @Nullable RuntimeException violation(Choices choices, @Nullable List<String> trace) {
        try {
            new World(choices, broken, Servers.Kind.MODELLED, trace).run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private String counterExample(long seed, List<Integer> taken) {
        var shrinker =
                new Shrinker<Integer>(
                        candidate -> violation(Choices.repeated(candidate), null) != null,
                        choice -> choice == 0 ? List.of() : List.of(0),
                        SHRINKING);
        var shortest = shrinker.shrink(taken);
        var trace = new ArrayList<String>();
        var violation = violation(Choices.repeated(shortest), trace);
        var text = new java.io.StringWriter();
        if (violation != null && !(violation instanceof Violation)) {
            violation.printStackTrace(new java.io.PrintWriter(text));
        }
        return "seed %d, without %s: %s%n%s%n%s"
                .formatted(seed, broken, violation, String.join("\n", trace), text);
    }
}
