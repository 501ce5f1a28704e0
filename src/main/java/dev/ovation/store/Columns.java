package dev.ovation.store;

import java.util.Collection;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Turns rows into the arrays, one a column, that {@code unnest} turns into rows again. */
final class Columns {

    private Columns() {}

    static <T> Object texts(Collection<T> rows, Function<T, String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    static <T> Object longs(Collection<T> rows, ToLongFunction<T> column) {
        return rows.stream().mapToLong(column).toArray();
    }

    static <T> Object ints(Collection<T> rows, ToIntFunction<T> column) {
        return rows.stream().mapToInt(column).toArray();
    }
}
