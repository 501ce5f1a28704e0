package dev.ovation.background;

import java.util.Collection;

/**
 * The arithmetic of the share. The time that a job worked is its debt. The share pays all debts,
 * each at the same rate until it is paid, and a job without a debt may work. So a single job that
 * worked for {@code t} works again {@code t / share} after it began. With several jobs, each waits
 * at most for its own debt and as much of each other debt.
 */
final class Budget {

    private Budget() {}

    /**
     * Pays debts.
     *
     * @param debts in seconds of work, each at least 0
     * @param seconds of work that are paid for all debts together
     * @return the paid part of a debt; a smaller debt is paid completely
     */
    static double paid(Collection<Double> debts, double seconds) {
        double[] rising = debts.stream().mapToDouble(debt -> debt).sorted().toArray();
        double each = 0;
        double left = seconds;
        for (int i = 0; i < rising.length; i++) {
            int owing = rising.length - i;
            double more = rising[i] - each;
            if (more * owing > left) {
                return each + left / owing;
            }
            left -= more * owing;
            each = rising[i];
        }
        return each;
    }

    /**
     * Returns the time until a debt is paid.
     *
     * @param debts all debts, this one included
     */
    static double wait(Collection<Double> debts, double debt, double share) {
        return debts.stream().mapToDouble(other -> Math.min(other, debt)).sum() / share;
    }
}
