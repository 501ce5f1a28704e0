package dev.ovation.chaos;

import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * One kind of fault.
 *
 * @param kind its name
 * @param part what it hits
 * @param action does it, and returns when the part can answer again
 */
record Fault(String kind, Part part, Action action) {

    enum Part {
        REDIS,
        POSTGRES,
        INSTANCE,
        LINK
    }

    @FunctionalInterface
    interface Action {
        void run(Bench bench, Random random) throws Exception;
    }

    /** How long it lasts: time is part of a fault, so nobody waits for a condition here. */
    static void last(Random random, int atLeastMillis, int atMostMillis) {
        try {
            Thread.sleep(random.nextInt(atLeastMillis, atMostMillis + 1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does something meanwhile, on a thread of its own. */
    static CompletableFuture<Void> meanwhile(Runnable something) {
        return CompletableFuture.runAsync(something, task -> Thread.ofVirtual().start(task));
    }
}
