package dev.ovation.outbox;

import dev.ovation.outbox.relay.Relay;
import dev.ovation.outbox.watermark.Watermarks;
import dev.ovation.outbox.watermark.Watermarks.CommitSignal;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;
import dev.ovation.store.postgres.PostgresBulkhead;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Wait of requests for the verdicts of the events that they made, or that their answers depend on.
 */
public final class CommitWaiter {

    private final Watermarks watermarks;
    private final Relay relay;
    private final PartitionTable partitions;
    private final RejectedEvents rejections;
    private final PostgresBulkhead gate;

    CommitWaiter(
            Watermarks watermarks,
            Relay relay,
            PartitionTable partitions,
            RejectedEvents rejections,
            PostgresBulkhead gate) {
        this.watermarks = watermarks;
        this.relay = relay;
        this.partitions = partitions;
        this.rejections = rejections;
        this.gate = gate;
    }

    /**
     * Returns whether the relay is stuck for a partition, so that requests must propose no new
     * events.
     */
    public boolean areStuck(int p) {
        return relay.isStuck(p);
    }

    /**
     * Waits for the verdict on an event.
     *
     * @param seq the event; 0 for no wait
     * @param patience how long to wait; after it the verdict is unknown
     */
    public Verdict await(int p, long epoch, long seq, Duration patience) {
        if (seq == 0) {
            return Verdict.COMMITTED;
        }
        var news = begin(p, epoch, seq);
        return switch (get(news, patience)) {
            case APPLIED -> Verdict.COMMITTED;
            case REJECTED -> Verdict.NOT_APPLIED;
            case CLOSED -> ofClosedEpoch(p, epoch, seq);
            case null -> {
                news.cancel(false);
                watermarks.forgetCancelled(p, seq);
                yield Verdict.UNKNOWN;
            }
        };
    }

    /**
     * Starts to wait for an event. Once the future is complete, {@link #await} need not wait. A
     * caller that gives up cancels it.
     */
    public CompletableFuture<?> expect(int p, long epoch, long seq) {
        var news = begin(p, epoch, seq);
        if (!news.isDone()) {
            var _ =
                    news.whenComplete(
                            (_, _) -> {
                                if (news.isCancelled()) {
                                    watermarks.forgetCancelled(p, seq);
                                }
                            });
        }
        return news;
    }

    private CompletableFuture<CommitSignal> begin(int p, long epoch, long seq) {
        var news = watermarks.await(p, epoch, seq);
        if (!news.isDone() && !watermarks.isSeen(p, epoch, seq)) {
            relay.due(p); // a cycle that saw it retries; the clock covers overdue waits
        }
        return news;
    }

    private static @Nullable CommitSignal get(
            CompletableFuture<CommitSignal> news, Duration patience) {
        try {
            return news.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A closed epoch has a definite end: events beyond it were never applied and never will be. */
    Verdict ofClosedEpoch(int p, long epoch, long seq) {
        try {
            OptionalLong end = gate.ask(() -> partitions.finalSeq(p, epoch));
            if (end.isEmpty()) {
                return Verdict.UNKNOWN;
            }
            if (seq > end.getAsLong()) {
                return Verdict.NOT_APPLIED;
            }
            var range = List.of(new Range(p, epoch, seq - 1));
            Set<Long> rejected = gate.ask(() -> rejections.within(range)).getOrDefault(p, Set.of());
            return rejected.contains(seq) ? Verdict.NOT_APPLIED : Verdict.COMMITTED;
        } catch (DataAccessException e) {
            return Verdict.UNKNOWN;
        }
    }
}
