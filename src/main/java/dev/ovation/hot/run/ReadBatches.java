package dev.ovation.hot.run;

import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.hot.state.ScriptTimes;

import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Sends reads together, see {@link SharedRuns}. */
public final class ReadBatches {

    /** Reads in one run; a full run blocks Redis for one millisecond. */
    private static final int MOST = 100;

    private final RunsByServer<ReadScript.ReadItem, ReadScript.Reply> runs;

    public ReadBatches(RedisServers servers, ReadScript script, ScriptTimes times) {
        runs =
                new RunsByServer<>(
                        servers,
                        link ->
                                new SharedRuns<>(
                                        "redis read",
                                        MOST,
                                        items ->
                                                times.timed(
                                                        "read",
                                                        script.execute(link.requests(), items)),
                                        _ -> false,
                                        UnaryOperator.identity()));
    }

    /** Adds a read, which the next call of {@link #send} by any thread sends. */
    CompletableFuture<ReadScript.Reply> add(ReadScript.ReadItem item) {
        var server = runs.of(item.p());
        return server == null
                ? CompletableFuture.failedFuture(RunsByServer.noServer())
                : server.add(item);
    }

    /** Sends the waiting reads, now or when the run in flight is answered. */
    void send() {
        runs.send();
    }
}
