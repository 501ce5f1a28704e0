package dev.ovation.outbox;

import dev.ovation.hot.Event;
import dev.ovation.hot.HotSettings;
import dev.ovation.hot.RedisLink;
import dev.ovation.hot.ScriptTimes;
import dev.ovation.hot.script.AckScript;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.outbox.batch.Batch;
import dev.ovation.outbox.batch.Look;
import dev.ovation.outbox.cursor.Cursors;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Tells Redis what is committed. */
final class Acknowledgements {

    private static final int ACK_CHUNK = 200;

    private final RedisLink link;
    private final Cursors cursors;
    private final AckScript script;
    private final ScriptTimes times;
    private final long timeoutMillis;

    Acknowledgements(RedisLink link, Cursors cursors, HotSettings settings, ScriptTimes times) {
        this.link = link;
        this.cursors = cursors;
        this.script = new AckScript(settings);
        this.times = times;
        this.timeoutMillis = settings.commandTimeout().toMillis() * 2;
    }

    /**
     * Acknowledges committed results to Redis, those of many partitions in one run; what fails is
     * found again by the sweep.
     *
     * @return of each result, in their order, whether the fence held
     */
    List<CompletableFuture<Boolean>> send(List<Batch.Result> results) {
        var told = new ArrayList<CompletableFuture<Boolean>>(results.size());
        var items = new ArrayList<AckScript.Item>();
        int events = 0;
        for (var result : results) {
            int more = result.events().size();
            var rejected = Fates.rejected(result, cursors);
            if (events + more > ACK_CHUNK) {
                told.addAll(run(items));
                items.clear();
                events = 0;
            }
            if (more > ACK_CHUNK) {
                told.add(chunks(result, 0, rejected));
            } else {
                var look = result.look();
                var fates = Fates.of(result.events(), rejected);
                long applied = Fates.covered(result);
                items.add(new AckScript.Item(look.p(), look.fence(), applied, fates));
                events += more;
            }
        }
        told.addAll(run(items));
        return told;
    }

    /** Sends one run; what it says of each partition. */
    private List<CompletableFuture<Boolean>> run(List<AckScript.Item> items) {
        if (items.isEmpty()) {
            return List.of();
        }
        var replies = times.timed("ack", script.execute(link.relay(), List.copyOf(items)));
        return IntStream.range(0, items.size())
                .mapToObj(i -> replies.thenApply(all -> held(all.get(i))))
                .toList();
    }

    private static boolean held(AckScript.Reply reply) {
        return switch (reply) {
            case AckScript.Reply.Told _ -> true;
            case AckScript.Reply.Fenced _ -> false;
            case AckScript.Reply.Failed failed -> throw new IllegalStateException(failed.error());
        };
    }

    /**
     * Tells Redis that entities were changed past the outbox. Nothing is trimmed: what the events
     * before that come to is told by their own acknowledgement. So these chunks may go all at once.
     *
     * @return whether the fence held
     */
    boolean send(Look look, List<Fate> changed) throws Exception {
        var told = new ArrayList<CompletableFuture<Boolean>>();
        for (int from = 0; from < changed.size(); from += ACK_CHUNK) {
            var chunk = changed.subList(from, Math.min(from + ACK_CHUNK, changed.size()));
            told.addAll(
                    run(List.of(new AckScript.Item(look.p(), look.fence(), look.acked(), chunk))));
        }
        boolean held = true;
        for (var one : told) {
            held &= one.get(timeoutMillis, TimeUnit.MILLISECONDS);
        }
        return held;
    }

    /**
     * In chunks, each only after the one before: a later one would trim what a failed one left, and
     * nobody would find it again.
     */
    private CompletableFuture<Boolean> chunks(Batch.Result result, int from, Set<Long> rejected) {
        List<Event> events = result.events();
        int until = Math.min(from + ACK_CHUNK, events.size());
        boolean last = until == events.size();
        List<Event> chunk = events.subList(from, until);
        long applied = last ? Fates.covered(result) : chunk.getLast().seq();
        var look = result.look();
        var item = new AckScript.Item(look.p(), look.fence(), applied, Fates.of(chunk, rejected));
        CompletableFuture<Boolean> acknowledged = run(List.of(item)).getFirst();
        return last
                ? acknowledged
                : acknowledged.thenCompose(
                        held -> held ? chunks(result, until, rejected) : acknowledged);
    }
}
