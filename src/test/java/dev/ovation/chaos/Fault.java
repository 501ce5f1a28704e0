package dev.ovation.chaos;

import java.util.concurrent.CompletableFuture;

/**
 * One kind of fault.
 *
 * @param kind its name
 * @param part the part of the bench that it affects
 * @param action causes the fault, and returns when the part can answer again
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
        void run(Bench bench, Chance random) throws Exception;
    }

    /** Runs an action concurrently, on a thread of its own. */
    static CompletableFuture<Void> meanwhile(Runnable something) {
        return CompletableFuture.runAsync(something, task -> Thread.ofVirtual().start(task));
    }
}
