package dev.ovation.store.shard;

import java.util.Collection;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Statements that may run on one shard. Citus runs a statement on the node of a shard only if a
 * condition on each of its tables names the partitions as constants. A statement marks the places
 * of these conditions by comments: {@code /*on e.p*}{@code /} stands behind a condition, for the
 * table with the alias {@code e}. An undivided Postgres gets the statement as it is written.
 */
public final class Narrowed {

    private static final ScopedValue<String> PARTITIONS = ScopedValue.newInstance();
    private static final Pattern MARK = Pattern.compile("/\\*on ((?:\\w+\\.)?p)\\*/");

    private Narrowed() {}

    /** Runs work whose statements are about these partitions of one shard. */
    static <R, X extends Throwable> R to(
            Collection<Integer> partitions, ScopedValue.CallableOp<R, X> work) throws X {
        return ScopedValue.where(PARTITIONS, condition(partitions)).call(work);
    }

    /** Returns whether the present work is about partitions of one shard. */
    public static boolean isBound() {
        return PARTITIONS.isBound();
    }

    private static String condition(Collection<Integer> partitions) {
        var sorted = new TreeSet<>(partitions);
        return sorted.size() == 1
                ? " = " + sorted.first()
                : " = any ('"
                        + sorted.toString().replace('[', '{').replace(']', '}')
                        + "'::smallint[])";
    }

    /** Returns a statement with the conditions of the shard that the present work is about. */
    public static String sql(String statement) {
        if (!isBound()) {
            return statement;
        }
        String condition = PARTITIONS.get();
        return MARK.matcher(statement).replaceAll(mark -> "and " + mark.group(1) + condition);
    }
}
