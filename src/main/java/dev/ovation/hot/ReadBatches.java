package dev.ovation.hot;

import dev.ovation.hot.script.ReadScript;

import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Sends reads together, see {@link SharedRuns}. */
final class ReadBatches {

    /** Reads in one run, which holds Redis up for a millisecond then. */
    private static final int MOST = 100;

    private final SharedRuns<ReadScript.Item, ReadScript.Reply> runs;

    ReadBatches(RedisLink link, ReadScript script, ScriptTimes times) {
        runs =
                new SharedRuns<>(
                        MOST,
                        items -> times.timed("read", script.execute(link.requests(), items)),
                        _ -> false,
                        UnaryOperator.identity());
    }

    /** Takes a read in, which the next call of {@link #send} by any thread sends. */
    CompletableFuture<ReadScript.Reply> add(ReadScript.Item item) {
        return runs.add(item);
    }

    /** Sends the reads that wait, now or when the run under way is answered. */
    void send() {
        runs.send();
    }
}
