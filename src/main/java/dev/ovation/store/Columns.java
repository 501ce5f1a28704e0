package dev.ovation.store;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Turns rows into the arrays, one a column, that {@code unnest} turns into rows again. */
public final class Columns {

    private Columns() {}

    /** Of texts as they are. */
    public static Object texts(Collection<String> texts) {
        return texts(texts, text -> text);
    }

    public static <T> Object texts(Collection<T> rows, Function<T, @Nullable String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    public static <T> Object longs(Collection<T> rows, ToLongFunction<T> column) {
        return rows.stream().mapToLong(column).toArray();
    }

    public static <T> Object ints(Collection<T> rows, ToIntFunction<T> column) {
        return rows.stream().mapToInt(column).toArray();
    }
}
