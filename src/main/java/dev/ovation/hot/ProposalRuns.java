package dev.ovation.hot;

import dev.ovation.hot.script.ReactScript;

import io.lettuce.core.RedisCommandExecutionException;

import java.util.concurrent.CompletableFuture;

/**
 * Sends proposals together, see {@link SharedRuns}. Each is sent once; again only when a run says
 * that it did not look at it.
 */
final class ProposalRuns {

    /** Proposals in one run, which holds Redis up for about two milliseconds then. */
    static final int MOST = 50;

    private final SharedRuns<ReactScript.Item, ReactScript.Answer> runs;

    ProposalRuns(RedisLink link, ReactScript script, ScriptTimes times) {
        runs =
                new SharedRuns<>(
                        MOST,
                        items -> times.timed("react", script.execute(link.requests(), items)),
                        ReactScript.Later.class::isInstance,
                        _ -> new RedisUnavailableException("Redis did not answer those before"));
    }

    /**
     * Sends a proposal, now or when the run under way is answered.
     *
     * @return its reply; fails with the error of its run, with that of the proposal alone, or with
     *     {@link RedisUnavailableException} when it was never sent
     */
    CompletableFuture<ReactScript.Reply> send(ReactScript.Item item) {
        var answer = runs.add(item);
        runs.send();
        return answer.thenApply(ProposalRuns::reply);
    }

    private static ReactScript.Reply reply(ReactScript.Answer answer) {
        return switch (answer) {
            case ReactScript.Reply reply -> reply;
            case ReactScript.Failed failed ->
                    throw new RedisCommandExecutionException(failed.error());
            case ReactScript.Later _ ->
                    throw new IllegalStateException("a proposal was left for a later run");
        };
    }
}
