package dev.ovation.store;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Converts rows to one array for each column, which {@code unnest} converts back to rows. */
public final class Columns {

    private Columns() {}

    /** Returns an array of texts. */
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
