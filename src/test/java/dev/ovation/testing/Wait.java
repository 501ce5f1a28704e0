package dev.ovation.testing;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for a condition, with a generous bound, instead of sleeping. */
public final class Wait {

    /** Only a failing test waits so long; a busy machine may stand still for many seconds. */
    private static final Duration BOUND = Duration.ofMinutes(2);

    private Wait() {}

    /** Returns as soon as the condition holds; fails, naming {@code what}, after two minutes. */
    public static void until(String what, Callable<Boolean> condition) {
        until(what, BOUND, condition);
    }

    public static void until(String what, Duration bound, Callable<Boolean> condition) {
        long end = System.nanoTime() + bound.toNanos();
        Exception last = null;
        while (System.nanoTime() < end) {
            try {
                if (condition.call()) {
                    return;
                }
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } catch (Exception e) {
                last = e;
            }
        }
        throw new AssertionError("not within " + bound + ": " + what, last);
    }
}
