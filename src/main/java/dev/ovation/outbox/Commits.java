package dev.ovation.outbox;

import dev.ovation.outbox.cursor.Cursors;
import dev.ovation.outbox.cursor.Cursors.News;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.RejectedEvents;
import dev.ovation.store.RejectedEvents.Range;

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

/** Where requests wait for what becomes of the events that they made, or that they rest on. */
public final class Commits {

    private final Cursors cursors;
    private final Relay relay;
    private final PartitionTable partitions;
    private final RejectedEvents rejections;
    private final PostgresGate gate;

    Commits(
            Cursors cursors,
            Relay relay,
            PartitionTable partitions,
            RejectedEvents rejections,
            PostgresGate gate) {
        this.cursors = cursors;
        this.relay = relay;
        this.partitions = partitions;
        this.rejections = rejections;
        this.gate = gate;
    }

    /** Returns whether events of a partition do not get through now: propose no new ones. */
    public boolean areStuck(int p) {
        return relay.isStuck(p);
    }

    /**
     * Waits for the verdict on an event.
     *
     * @param seq the event; 0 is nothing to wait for
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
                cursors.forgetCancelled(p, seq);
                yield Verdict.UNKNOWN;
            }
        };
    }

    /**
     * Begins to wait for an event: once this is complete, {@link #await} need not wait. Who gives
     * up cancels it.
     */
    public CompletableFuture<?> expect(int p, long epoch, long seq) {
        var news = begin(p, epoch, seq);
        if (!news.isDone()) {
            var _ =
                    news.whenComplete(
                            (_, _) -> {
                                if (news.isCancelled()) {
                                    cursors.forgetCancelled(p, seq);
                                }
                            });
        }
        return news;
    }

    private CompletableFuture<News> begin(int p, long epoch, long seq) {
        var news = cursors.await(p, epoch, seq);
        if (!news.isDone() && !cursors.isSeen(p, epoch, seq)) {
            relay.due(p); // who sees it and fails comes again; else the overdue are looked after
        }
        return news;
    }

    private static @Nullable News get(CompletableFuture<News> news, Duration patience) {
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

    /** A closed epoch has a definite end: what lies beyond was never applied and never will be. */
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
