package dev.ovation.background;

import java.util.Collection;

/**
 * The arithmetic of the share. Time that a job worked is its debt. All debts together are paid at
 * the rate of the share, each job paying as much as every other until its debt is gone, and a job
 * without a debt may work. So a job that is alone and worked for {@code t} works again {@code t /
 * share} after it began; of several none waits for more than its own debt and as much of each of
 * the others.
 */
final class Budget {

    private Budget() {}

    /**
     * Pays debts.
     *
     * @param debts in seconds of work, each at least 0
     * @param seconds of work that are paid, by all together
     * @return how much of each debt is gone, if it is as much
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
     * Returns how long it takes until a debt is gone.
     *
     * @param debts all of them, that one too
     */
    static double wait(Collection<Double> debts, double debt, double share) {
        return debts.stream().mapToDouble(other -> Math.min(other, debt)).sum() / share;
    }
}
