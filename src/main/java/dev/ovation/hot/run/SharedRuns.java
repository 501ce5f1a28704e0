package dev.ovation.hot.run;

import dev.ovation.trace.TraceSpan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Runs of a script that items share. One run is in flight at a time. An item that arrives alone
 * leaves at once. Items that arrive during a run leave with the next one, in the order of arrival.
 * The busier Redis or this process is, the more items share the cost of a command.
 *
 * @param <I> an item
 * @param <A> the answer to an item
 */
final class SharedRuns<I, A> {

    /** Two runs at a time would each be half as large and would not keep the order of arrival. */
    private static final int UNDER_WAY = 1;

    private final String name;
    private final int most;
    private final Function<List<I>, CompletableFuture<List<A>>> script;
    private final Predicate<A> later;
    private final UnaryOperator<Throwable> unsent;
    private final Queue<Sent<I, A>> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore free = new Semaphore(UNDER_WAY);

    /** Items that a run did not process; only the holder of the semaphore uses the queue. */
    private final Queue<Sent<I, A>> first = new ArrayDeque<>();

    private record Sent<I, A>(I item, CompletableFuture<A> answer, @Nullable TraceSpan span) {}

    /**
     * Creates runs of a script.
     *
     * @param name name of a run in traces
     * @param most items in one run
     * @param script sends a run and returns an answer for each item, in their order
     * @param later whether an answer means that the run did not process the item: then the item
     *     leaves with the next run, before those that arrived after it
     * @param unsent makes, of the error of a run, the error of the items that waited for the next
     */
    SharedRuns(
            String name,
            int most,
            Function<List<I>, CompletableFuture<List<A>>> script,
            Predicate<A> later,
            UnaryOperator<Throwable> unsent) {
        this.name = name;
        this.most = most;
        this.script = script;
        this.later = later;
        this.unsent = unsent;
    }

    /** Adds an item, which the next call of {@link #send} by any thread sends. */
    CompletableFuture<A> add(I item) {
        var added = new Sent<I, A>(item, new CompletableFuture<>(), TraceSpan.current());
        waiting.add(added);
        return added.answer;
    }

    /** Sends the waiting items, now or when the run in flight is answered. */
    void send() {
        while (!waiting.isEmpty() && free.tryAcquire()) {
            sendNext();
        }
    }

    /** Called by the holder of the semaphore. */
    private void sendNext() {
        List<Sent<I, A>> run = next(most);
        if (run.isEmpty()) {
            free.release();
        } else {
            TraceSpan span = span(run);
            var _ =
                    sent(run)
                            .whenComplete(
                                    (answers, e) -> {
                                        end(span, e);
                                        answered(run, answers, e);
                                    });
        }
    }

    private List<Sent<I, A>> next(int atMost) {
        var run = new ArrayList<Sent<I, A>>();
        Sent<I, A> next;
        while (run.size() < atMost
                && (next = first.isEmpty() ? waiting.poll() : first.poll()) != null) {
            run.add(next);
        }
        return run;
    }

    private static void end(@Nullable TraceSpan span, @Nullable Throwable error) {
        if (span != null) {
            if (error != null) {
                span.fail(error.getClass().getSimpleName());
            }
            span.end();
        }
    }

    private @Nullable TraceSpan span(List<Sent<I, A>> run) {
        List<TraceSpan> sampled = null;
        for (Sent<I, A> each : run) {
            if (each.span != null) {
                sampled = sampled == null ? new ArrayList<>() : sampled;
                sampled.add(each.span);
            }
        }
        return sampled == null ? null : TraceSpan.shared(name, sampled, run.size());
    }

    private CompletableFuture<List<A>> sent(List<Sent<I, A>> run) {
        try {
            return script.apply(run.stream().map(Sent::item).toList());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Sends the next run before the items of this one get their answers. When Redis does not answer
     * a run, the items that wait for the next one fail as well: no item waits for more than two
     * answers.
     */
    private void answered(List<Sent<I, A>> run, List<A> answers, @Nullable Throwable error) {
        List<Sent<I, A>> notSent = error == null ? List.of() : next(Integer.MAX_VALUE);
        for (int i = 0; error == null && i < run.size(); i++) {
            if (later.test(answers.get(i))) {
                first.add(run.get(i));
            }
        }
        if (first.isEmpty()) {
            free.release();
            send();
        } else {
            sendNext();
        }
        if (error == null) {
            for (int i = 0; i < run.size(); i++) {
                if (!later.test(answers.get(i))) {
                    run.get(i).answer.complete(answers.get(i));
                }
            }
        } else {
            run.forEach(each -> each.answer.completeExceptionally(error));
            notSent.forEach(each -> each.answer.completeExceptionally(unsent.apply(error)));
        }
    }
}
