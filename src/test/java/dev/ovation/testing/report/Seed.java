package dev.ovation.testing.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Seeds of random choices. A failure report names them with the property that sets them again. */
public final class Seed {

    private static final StackWalker CALLER =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final Map<Class<?>, List<String>> GIVEN = new ConcurrentHashMap<>();

    private Seed() {}

    /**
     * The seed of the calling class.
     *
     * @param property the system property that sets it
     * @param otherwise the seed if the property is not set
     */
    public static long from(String property, long otherwise) {
        long seed = Long.getLong(property, otherwise);
        GIVEN.computeIfAbsent(CALLER.getCallerClass(), _ -> new ArrayList<>())
                .add("-D%s=%d".formatted(property, seed));
        return seed;
    }

    /** The seeds of a class, as arguments of Maven. */
    static List<String> of(Class<?> test) {
        return List.copyOf(GIVEN.getOrDefault(test, List.of()));
    }
}
