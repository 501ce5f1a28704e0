package dev.ovation.outbox.watermark;

import dev.ovation.outbox.batch.RelayTransaction;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A watermark update for other instances, with the events rejected below the new watermark.
 *
 * @param p the partition
 * @param epoch its epoch
 * @param from watermark before the update
 * @param to watermark after it
 * @param rejected the events from {@code from}, excluded, to {@code to} that were rejected
 */
public record WatermarkUpdate(int p, long epoch, long from, long to, Collection<Long> rejected) {

    /** Returns the watermark updates of these results. */
    public static List<WatermarkUpdate> of(List<RelayTransaction.PartitionResult> results) {
        return results.stream()
                .filter(result -> result.to() > result.slice().known())
                .map(
                        result ->
                                new WatermarkUpdate(
                                        result.slice().p(),
                                        result.slice().fence().epoch(),
                                        result.slice().known(),
                                        result.to(),
                                        result.rejected()))
                .toList();
    }

    /** Writes updates as one message, one per line. */
    static String write(List<WatermarkUpdate> news) {
        return news.stream().map(WatermarkUpdate::write).collect(Collectors.joining("\n"));
    }

    private static String write(WatermarkUpdate one) {
        String rejected =
                one.rejected().stream().map(String::valueOf).collect(Collectors.joining(","));
        return one.p() + " " + one.epoch() + " " + one.from() + " " + one.to() + " " + rejected;
    }

    /** Reads a message. */
    static List<WatermarkUpdate> read(String message) {
        return message.lines().map(WatermarkUpdate::line).toList();
    }

    private static WatermarkUpdate line(String line) {
        String[] part = line.split(" ", -1);
        List<Long> rejected =
                part[4].isEmpty()
                        ? List.of()
                        : Arrays.stream(part[4].split(",", -1)).map(Long::valueOf).toList();
        return new WatermarkUpdate(
                Integer.parseInt(part[0]),
                Long.parseLong(part[1]),
                Long.parseLong(part[2]),
                Long.parseLong(part[3]),
                rejected);
    }
}
