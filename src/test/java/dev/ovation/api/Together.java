package dev.ovation.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Runs actions in parallel. */
final class Together {

    private Together() {}

    /**
     * Starts an action without waiting for it. It may block, so it has a thread of its own: the
     * common pool has one on two processors.
     */
    static <T> CompletableFuture<T> meanwhile(Supplier<T> something) {
        return CompletableFuture.supplyAsync(something, task -> Thread.ofVirtual().start(task));
    }

    /** Starts both at once, each on a thread of its own, and returns their results in order. */
    static <T> List<T> run(Supplier<T> one, Supplier<T> other) {
        var barrier = new CyclicBarrier(2);
        try (var threads = Executors.newFixedThreadPool(2)) {
            var futures = new ArrayList<Future<T>>();
            for (Supplier<T> task : List.of(one, other)) {
                futures.add(
                        threads.submit(
                                () -> {
                                    barrier.await();
                                    return task.get();
                                }));
            }
            var results = new ArrayList<T>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }
}
