package dev.ovation.hot.run;

import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;
import dev.ovation.hot.state.OwnEvents;
import dev.ovation.hot.state.ScriptTimes;

import io.lettuce.core.RedisCommandExecutionException;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends proposals together, see {@link SharedRuns}. Each proposal is sent once. It is sent again
 * only when the run answers that it did not process it.
 */
public final class ProposalRuns {

    /** Proposals in one run; a full run blocks Redis for about two milliseconds. */
    static final int MOST = 50;

    private final RunsByServer<ReactScript.ReactItem, ReactScript.ReactReply> runs;
    private final OwnEvents events;
    private final Failpoints failpoints;

    /**
     * Creates the runs of each server.
     *
     * @param events receives the events of each run before the next run leaves
     */
    public ProposalRuns(
            RedisServers servers,
            ReactScript script,
            ScriptTimes times,
            OwnEvents events,
            Failpoints failpoints) {
        this.events = events;
        this.failpoints = failpoints;
        runs =
                new RunsByServer<>(
                        servers,
                        link ->
                                new SharedRuns<>(
                                        "redis react",
                                        MOST,
                                        items -> run(link, script, times, items),
                                        ReactScript.Later.class::isInstance,
                                        _ ->
                                                new RedisUnavailableException(
                                                        "Redis did not answer those before")));
    }

    /**
     * Sends a proposal, now or when the run in flight is answered.
     *
     * @return its reply; fails with the error of its run, with that of the proposal alone, or with
     *     {@link RedisUnavailableException} when it was never sent
     */
    public CompletableFuture<ReactScript.Reply> send(ReactScript.ReactItem item) {
        var server = runs.of(item.p());
        if (server == null) {
            return CompletableFuture.failedFuture(RunsByServer.noServer());
        }
        var answer = server.add(item);
        server.send();
        return answer.thenApply(ProposalRuns::reply);
    }

    private CompletableFuture<List<ReactScript.ReactReply>> run(
            RedisLink link,
            ReactScript script,
            ScriptTimes times,
            List<ReactScript.ReactItem> items) {
        return times.timed("react", script.execute(link.requests(), items))
                .thenApply(answers -> keepEvents(items, answers));
    }

    private List<ReactScript.ReactReply> keepEvents(
            List<ReactScript.ReactItem> items, List<ReactScript.ReactReply> answers) {
        for (int i = 0; i < items.size(); i++) {
            if (answers.get(i) instanceof Accepted accepted && !accepted.event().isEmpty()) {
                failpoints.reached(Point.AFTER_RUN);
                var item = items.get(i);
                long epoch = item.fence().epoch();
                events.proposed(item.p(), epoch, accepted.seq(), accepted.event());
            }
        }
        return answers;
    }

    private static ReactScript.Reply reply(ReactScript.ReactReply answer) {
        return switch (answer) {
            case ReactScript.Reply reply -> reply;
            case ReactScript.ReactFailure failed ->
                    throw new RedisCommandExecutionException(failed.error());
            case ReactScript.Later _ ->
                    throw new IllegalStateException("a proposal was left for a later run");
        };
    }
}
