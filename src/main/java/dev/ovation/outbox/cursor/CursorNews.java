package dev.ovation.outbox.cursor;

import dev.ovation.outbox.batch.Batch;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A step of a cursor as one instance tells it to the others, with the rejected events within.
 *
 * @param p the partition
 * @param epoch its epoch
 * @param from where the step begins
 * @param to where it ends
 * @param rejected the events from {@code from}, excluded, to {@code to} that were rejected
 */
public record CursorNews(int p, long epoch, long from, long to, Collection<Long> rejected) {

    /** Returns the steps that results come to. */
    public static List<CursorNews> of(List<Batch.Result> results) {
        return results.stream()
                .filter(result -> result.to() > result.look().known())
                .map(
                        result ->
                                new CursorNews(
                                        result.look().p(),
                                        result.look().fence().epoch(),
                                        result.look().known(),
                                        result.to(),
                                        result.rejected()))
                .toList();
    }

    /** Writes steps as one message: a line each. */
    static String write(List<CursorNews> news) {
        return news.stream().map(CursorNews::write).collect(Collectors.joining("\n"));
    }

    private static String write(CursorNews one) {
        String rejected =
                one.rejected().stream().map(String::valueOf).collect(Collectors.joining(","));
        return one.p() + " " + one.epoch() + " " + one.from() + " " + one.to() + " " + rejected;
    }

    /** Reads a message. */
    static List<CursorNews> read(String message) {
        return message.lines().map(CursorNews::line).toList();
    }

    private static CursorNews line(String line) {
        String[] part = line.split(" ", -1);
        List<Long> rejected =
                part[4].isEmpty()
                        ? List.of()
                        : Arrays.stream(part[4].split(",", -1)).map(Long::valueOf).toList();
        return new CursorNews(
                Integer.parseInt(part[0]),
                Long.parseLong(part[1]),
                Long.parseLong(part[2]),
                Long.parseLong(part[3]),
                rejected);
    }
}
