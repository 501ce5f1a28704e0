package dev.ovation.protocol;

import dev.ovation.model.Shrinker;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Searches for a schedule that breaks a promise, and shortens it. */
final class Search {

    private static final int SHRINKING = 3000;

    private final Set<Rule> broken;
    private final boolean oneCall;

    private Search(Set<Rule> broken, boolean oneCall) {
        this.broken = broken;
        this.oneCall = oneCall;
    }

    /**
     * A search with all rules.
     *
     * @param oneCall whether relays try one call before a transaction of several statements
     */
    static Search withAllRules(boolean oneCall) {
        return new Search(EnumSet.noneOf(Rule.class), oneCall);
    }

    /**
     * A search without one rule. Relays use transactions of several statements; what the call
     * compares itself is broken by text.
     */
    static Search without(Rule rule) {
        return new Search(EnumSet.of(rule), false);
    }

    /**
     * Returns the first seed, among {@code schedules} seeds, whose schedule breaks a promise.
     * Without a rule the schedule must also keep all promises with that rule.
     */
    OptionalLong run(long firstSeed, int schedules) {
        for (long seed = firstSeed; seed < firstSeed + schedules; seed++) {
            long one = seed;
            if (isCounterExample(() -> Choices.random(one))) {
                return OptionalLong.of(seed);
            }
        }
        return OptionalLong.empty();
    }

    private boolean isCounterExample(Supplier<Choices> choices) {
        return violation(choices.get(), broken, null) != null
                && (broken.isEmpty() || violation(choices.get(), Set.of(), null) == null);
    }

    private @Nullable RuntimeException violation(
            Choices choices, Set<Rule> without, @Nullable List<String> trace) {
        try {
            new World(choices, without, Servers.Kind.MODELLED, oneCall, trace).run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /**
     * Runs one schedule on other servers as well; reports the steps up to a difference. Relays of
     * even seeds try one call.
     */
    static void replay(long seed, Servers.Kind servers) {
        var trace = new ArrayList<String>();
        try {
            new World(Choices.random(seed), Set.of(), servers, seed % 2 == 0, trace).run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "seed %d%n%s%n%s".formatted(seed, String.join("\n", trace), e.getMessage()), e);
        }
    }

    /** Shortens a schedule that breaks a promise, and reports it step by step. */
    String explain(long seed) {
        var choices = Choices.random(seed);
        violation(choices, broken, null);
        var shrinker =
                new Shrinker<Integer>(
                        candidate -> isCounterExample(() -> Choices.repeated(candidate)),
                        choice -> choice == 0 ? List.of() : List.of(0),
                        SHRINKING);
        var trace = new ArrayList<String>();
        var violation =
                violation(Choices.repeated(shrinker.shrink(choices.taken())), broken, trace);
        var text = new StringWriter();
        if (violation != null && !(violation instanceof Violation)) {
            violation.printStackTrace(new PrintWriter(text));
        }
        return "seed %d, without %s: %s%n%s%n%s"
                .formatted(seed, broken, violation, String.join("\n", trace), text);
    }
}
