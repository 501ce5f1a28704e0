package dev.ovation.hot;

import dev.ovation.hot.script.ReactScript;

import io.lettuce.core.RedisCommandExecutionException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Sends proposals together: those that come while a run of the script is under way go out with the
 * next one, in the order in which they came. A proposal that comes alone leaves at once. Each is
 * sent once; again only when a run says that it did not look at it.
 */
final class ProposalRuns {

    /** Proposals in one run, which holds Redis up for about two milliseconds then. */
    static final int MOST = 50;

    /** With two runs at a time, proposals would no longer be judged in the order of arrival. */
    private static final int UNDER_WAY = 1;

    private final RedisLink link;
    private final ReactScript script;
    private final ScriptTimes times;
    private final Queue<Proposed> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore free = new Semaphore(UNDER_WAY);

    /** What came first and was not looked at; of whoever holds the semaphore alone. */
    private final Queue<Proposed> first = new ArrayDeque<>();

    private record Proposed(ReactScript.Item item, CompletableFuture<ReactScript.Reply> reply) {}

    ProposalRuns(RedisLink link, ReactScript script, ScriptTimes times) {
        this.link = link;
        this.script = script;
        this.times = times;
    }

    /** Sends a proposal, now or when a run comes back. */
    CompletableFuture<ReactScript.Reply> send(ReactScript.Item item) {
        var proposed = new Proposed(item, new CompletableFuture<>());
        waiting.add(proposed);
        send();
        return proposed.reply;
    }

    private void send() {
        while (!waiting.isEmpty() && free.tryAcquire()) {
            sendNext();
        }
    }

    /** By whoever holds the semaphore. */
    private void sendNext() {
        List<Proposed> run = next(MOST);
        if (run.isEmpty()) {
            free.release();
        } else {
            var _ = run(run).whenComplete((answers, e) -> answered(run, answers, e));
        }
    }

    private List<Proposed> next(int most) {
        var run = new ArrayList<Proposed>();
        Proposed proposed;
        while (run.size() < most
                && (proposed = first.isEmpty() ? waiting.poll() : first.poll()) != null) {
            run.add(proposed);
        }
        return run;
    }

    private CompletableFuture<List<ReactScript.Answer>> run(List<Proposed> run) {
        try {
            var items = run.stream().map(Proposed::item).toList();
            return times.timed("react", script.execute(link.requests(), items));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The next run leaves before those of this one are told. When Redis does not answer a run,
     * whoever waits for the next one is told that nothing was sent: so nobody waits for long.
     */
    private void answered(
            List<Proposed> run, List<ReactScript.Answer> answers, @Nullable Throwable error) {
        List<Proposed> unsent = error == null ? List.of() : next(Integer.MAX_VALUE);
        for (int i = 0; error == null && i < run.size(); i++) {
            if (answers.get(i) instanceof ReactScript.Later) {
                first.add(run.get(i));
            }
        }
        if (first.isEmpty()) {
            free.release();
            send();
        } else {
            sendNext();
        }
        for (int i = 0; i < run.size(); i++) {
            if (error == null) {
                tell(run.get(i), answers.get(i));
            } else {
                run.get(i).reply.completeExceptionally(error);
            }
        }
        var notSent = new RedisUnavailableException("Redis did not answer those before");
        unsent.forEach(proposed -> proposed.reply.completeExceptionally(notSent));
    }

    private static void tell(Proposed proposed, ReactScript.Answer answer) {
        switch (answer) {
            case ReactScript.Reply reply -> proposed.reply.complete(reply);
            case ReactScript.Failed failed ->
                    proposed.reply.completeExceptionally(
                            new RedisCommandExecutionException(failed.error()));
            case ReactScript.Later _ -> {
                // goes with the next run
            }
        }
    }
}
