package dev.ovation.outbox.batch;

import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.OwnEvents;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events that this instance proposed and that are not applied yet, as the script answered them.
 * A relay cycle over them need not read the outbox. For each partition the inbox holds the events
 * that follow one event without a gap. It offers them only if they continue the known watermark.
 * All other events come from the outbox.
 */
public final class Inbox implements OwnEvents {

    /** Greatest number of characters of kept events; later events are read from the outbox. */
    static final long MOST = 16_000_000;

    private static final long UNKNOWN = -1;

    private final Box[] boxes;
    private final AtomicLong kept = new AtomicLong();

    private record Own(long seq, String event) {}

    /** Inbox of one partition; its methods lock it. */
    private final class Box {
        private final Deque<Own> events = new ArrayDeque<>();
        private long epoch;
        private long applied = UNKNOWN;
        private String appliedOp = "";

        synchronized void add(long ofEpoch, Own own) {
            if (ofEpoch < epoch || (ofEpoch == epoch && own.seq <= last())) {
                return; // a late answer
            }
            enter(ofEpoch);
            if (own.seq != last() + 1) {
                dropUntil(Long.MAX_VALUE);
            }
            if (kept.addAndGet(own.event.length()) <= MOST) {
                events.add(own);
            } else {
                kept.addAndGet(-own.event.length());
                dropUntil(Long.MAX_VALUE);
            }
        }

        synchronized void applied(long ofEpoch, long seq, String op) {
            if (ofEpoch >= epoch) {
                enter(ofEpoch);
                dropUntil(seq);
                applied = seq;
                appliedOp = op;
            }
        }

        synchronized void forget() {
            dropUntil(Long.MAX_VALUE);
            applied = UNKNOWN;
        }

        private void enter(long newEpoch) {
            if (newEpoch != epoch) {
                forget();
                epoch = newEpoch;
            }
        }

        private void dropUntil(long seq) {
            while (!events.isEmpty() && events.getFirst().seq <= seq) {
                kept.addAndGet(-events.removeFirst().event.length());
            }
        }

        private long last() {
            return events.isEmpty() ? applied : events.getLast().seq;
        }

        synchronized @Nullable OutboxSlice look(
                int p, Fence fence, long known, long awaited, int count) {
            boolean continues =
                    epoch == fence.epoch()
                            && applied == known
                            && !events.isEmpty()
                            && events.getFirst().seq == known + 1;
            if (!continues || last() < awaited) {
                return null;
            }
            var entries = new ArrayList<OutboxEntry>();
            entries.add(new OutboxEntry(known, Map.of("op", appliedOp)));
            for (Own own : events) {
                if (entries.size() == count) {
                    break;
                }
                entries.add(new OutboxEntry(own.seq, Event.members(own.event)));
            }
            boolean whole = entries.size() == events.size() + 1;
            return OutboxSlice.atOwn(p, fence, known, entries, whole);
        }
    }

    /** Creates an empty inbox for this number of partitions. */
    public Inbox(int partitions) {
        boxes = new Box[partitions];
        for (int p = 0; p < partitions; p++) {
            boxes[p] = new Box();
        }
    }

    @Override
    public void proposed(int p, long epoch, long seq, String event) {
        boxes[p].add(epoch, new Own(seq, event));
    }

    /**
     * Records the watermark of a partition, whichever instance proposed the events. The next own
     * event may follow it.
     *
     * @param op id of the event {@code seq}
     */
    public void applied(int p, long epoch, long seq, String op) {
        boxes[p].applied(epoch, seq, op);
    }

    /** Drops the events of a partition, so that the next slice is read from the outbox. */
    public void forget(int p) {
        boxes[p].forget();
    }

    /**
     * Returns the slice that a read of the outbox would give, as far as this instance proposed it.
     *
     * @param known last event that is known to be applied
     * @param awaited the last event that a request waits for, whichever instance proposed it
     * @param count greatest number of entries, the one at {@code known} included
     * @return null when the outbox must be read: when these events do not follow {@code known}, do
     *     not reach {@code awaited}, or there are none
     */
    public @Nullable OutboxSlice look(int p, Fence fence, long known, long awaited, int count) {
        return boxes[p].look(p, fence, known, awaited, count);
    }

    /** Returns the number of characters of all kept events. */
    long kept() {
        return kept.get();
    }
}
