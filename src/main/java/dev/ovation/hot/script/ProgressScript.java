package dev.ovation.hot.script;

import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** {@code progress.lua}: reads how far outboxes are proposed and acknowledged. */
public final class ProgressScript {

    private static final String[] NO_KEYS = {};

    /** Most partitions in a run: Redis executes nothing else meanwhile. */
    private static final int MOST_IN_A_RUN = 64;

    private final LuaScript script = new LuaScript("progress", ScriptOutputType.MULTI);

    /**
     * Progress of the outbox of a partition.
     *
     * @param epoch the epoch that Redis has; empty when it has none
     * @param proposed seq of the last proposed event
     * @param acked seq up to which events are known to be committed
     */
    public record Progress(int p, String epoch, long proposed, long acked) {

        /** Returns whether Redis has the epoch of the fence. */
        public boolean hasEpochOf(Fence fence) {
            return epoch.equals(Long.toString(fence.epoch()));
        }
    }

    /**
     * Sends the script, several times for many partitions.
     *
     * @return the progress of the partitions that the server serves, in their order
     */
    public CompletableFuture<List<Progress>> execute(
            RedisScriptingAsyncCommands<String, String> redis, List<Integer> partitions) {
        var runs = new ArrayList<CompletableFuture<List<Progress>>>();
        for (int from = 0; from < partitions.size(); from += MOST_IN_A_RUN) {
            int to = Math.min(partitions.size(), from + MOST_IN_A_RUN);
            runs.add(run(redis, partitions.subList(from, to)));
        }
        return CompletableFuture.allOf(runs.toArray(CompletableFuture[]::new))
                .thenApply(
                        _ ->
                                runs.stream()
                                        .map(CompletableFuture::join)
                                        .flatMap(List::stream)
                                        .toList());
    }

    private CompletableFuture<List<Progress>> run(
            RedisScriptingAsyncCommands<String, String> redis, List<Integer> partitions) {
        String numbers =
                partitions.stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(RedisSchema.SEPARATOR));
        return script.list(redis, NO_KEYS, numbers).thenApply(texts -> served(partitions, texts));
    }

    private static List<Progress> served(List<Integer> partitions, List<Object> texts) {
        var served = new ArrayList<Progress>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            String text = (String) texts.get(i);
            if (!text.isEmpty()) {
                String[] parts = text.split(RedisSchema.PART, -1);
                served.add(
                        new Progress(
                                partitions.get(i), parts[0], number(parts[1]), number(parts[2])));
            }
        }
        return served;
    }

    private static long number(String text) {
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }
}
