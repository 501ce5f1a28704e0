package dev.ovation.hot;

import dev.ovation.hot.script.ReadScript;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Sends reads together: what is wanted while a run of the script is under way goes out with the
 * next one. A read that comes alone leaves at once, and nobody waits for company; but the busier
 * Redis or this process is, the more reads share the cost of a command.
 */
final class ReadBatches {

    /** Reads in one run, which holds Redis up for a millisecond then. */
    private static final int MOST = 100;

    /** Runs at a time. With two, each is half as big, and all together cost a tenth more. */
    private static final int UNDER_WAY = 1;

    private final RedisLink link;
    private final ReadScript script;
    private final ScriptTimes times;
    private final Queue<Read> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore free = new Semaphore(UNDER_WAY);

    private record Read(ReadScript.Item item, CompletableFuture<ReadScript.Reply> reply) {}

    ReadBatches(RedisLink link, ReadScript script, ScriptTimes times) {
        this.link = link;
        this.script = script;
        this.times = times;
    }

    /** Takes a read in, which is sent with the next call of {@link #send} by anybody. */
    CompletableFuture<ReadScript.Reply> add(ReadScript.Item item) {
        var read = new Read(item, new CompletableFuture<>());
        waiting.add(read);
        return read.reply;
    }

    /** Sends what waits, now or when a run comes back. */
    void send() {
        while (!waiting.isEmpty() && free.tryAcquire()) {
            List<Read> batch = next(MOST);
            if (batch.isEmpty()) {
                free.release();
            } else {
                var _ = run(batch).whenComplete((replies, e) -> answered(batch, replies, e));
            }
        }
    }

    private List<Read> next(int most) {
        var batch = new ArrayList<Read>();
        Read read;
        while (batch.size() < most && (read = waiting.poll()) != null) {
            batch.add(read);
        }
        return batch;
    }

    private CompletableFuture<List<ReadScript.Reply>> run(List<Read> batch) {
        try {
            var items = batch.stream().map(Read::item).toList();
            return times.timed("read", script.execute(link.requests(), items));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * When Redis does not answer a run, whoever waits for the next one shares its fate: so nobody
     * waits longer than for two answers.
     */
    private void answered(
            List<Read> batch, List<ReadScript.Reply> replies, @Nullable Throwable error) {
        if (error != null) {
            batch.addAll(next(Integer.MAX_VALUE));
        }
        free.release();
        send();
        for (int i = 0; i < batch.size(); i++) {
            if (error == null) {
                batch.get(i).reply.complete(replies.get(i));
            } else {
                batch.get(i).reply.completeExceptionally(error);
            }
        }
    }
}
