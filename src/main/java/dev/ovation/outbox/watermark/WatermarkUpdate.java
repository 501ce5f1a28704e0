package dev.ovation.outbox.watermark;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
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
 * @param changed entities that may have a new committed state; instances of releases before this
 *     member neither send nor read it
 */
public record WatermarkUpdate(
        int p,
        long epoch,
        long from,
        long to,
        Collection<Long> rejected,
        Collection<EntityKey> changed) {

    /** Separates entities; no id holds a control character, and no namespace a colon. */
    private static final String SEPARATOR = "\u001f";

    private static final int PARTS = 6;

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
                                        result.rejected(),
                                        changed(result)))
                .toList();
    }

    private static List<EntityKey> changed(RelayTransaction.PartitionResult result) {
        return result.events().stream().map(Event::key).distinct().toList();
    }

    /** Writes updates as one message, one per line. */
    static String write(List<WatermarkUpdate> news) {
        return news.stream().map(WatermarkUpdate::write).collect(Collectors.joining("\n"));
    }

    private static String write(WatermarkUpdate one) {
        String rejected =
                one.rejected().stream().map(String::valueOf).collect(Collectors.joining(","));
        String line =
                one.p() + " " + one.epoch() + " " + one.from() + " " + one.to() + " " + rejected;
        return one.changed().isEmpty() ? line : line + " " + entities(one.changed());
    }

    private static String entities(Collection<EntityKey> keys) {
        return keys.stream()
                .map(key -> key.namespace() + ':' + key.entity())
                .collect(Collectors.joining(SEPARATOR));
    }

    /** Reads a message. */
    static List<WatermarkUpdate> read(String message) {
        return message.lines().map(WatermarkUpdate::line).toList();
    }

    private static WatermarkUpdate line(String line) {
        String[] part = line.split(" ", PARTS);
        List<Long> rejected =
                part[4].isEmpty()
                        ? List.of()
                        : Arrays.stream(part[4].split(",", -1)).map(Long::valueOf).toList();
        return new WatermarkUpdate(
                Integer.parseInt(part[0]),
                Long.parseLong(part[1]),
                Long.parseLong(part[2]),
                Long.parseLong(part[3]),
                rejected,
                part.length < PARTS ? List.of() : keys(part[PARTS - 1]));
    }

    private static List<EntityKey> keys(String entities) {
        return Arrays.stream(entities.split(SEPARATOR, -1))
                .map(
                        text -> {
                            int colon = text.indexOf(':');
                            return new EntityKey(
                                    text.substring(0, colon), text.substring(colon + 1));
                        })
                .toList();
    }
}
