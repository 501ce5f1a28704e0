package dev.ovation.live;

import dev.ovation.entity.EntityKey;
import dev.ovation.live.Frame.StateEvent;
import dev.ovation.live.Frame.StreamEvent;
import dev.ovation.live.Frame.StreamNotice;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One stream: the entities that it watches, for each the state that was sent last, and at most one
 * newer state that waits. A slow reader therefore costs one state for each entity. A state is sent
 * only after an older one.
 */
final class Watcher implements Outlet.EventSource {

    private static final StreamNotice HEARTBEAT = new StreamNotice(":\n\n", null);

    private final String id;
    private final @Nullable String user;
    private final StreamCredential credential;
    private final Runnable whenEnded;
    private final long since = System.nanoTime();
    private final ReentrantLock replacing = new ReentrantLock();

    private final Map<EntityKey, SentState> watched = new HashMap<>();
    private final Set<EntityKey> pending = new LinkedHashSet<>();
    private final Queue<StreamNotice> notices = new ArrayDeque<>(2);
    private String namespace = "";
    private long mark;
    private long lastEvent = since;
    private boolean over;
    private @Nullable StreamNotice last;
    private boolean hasEnded;
    private volatile @Nullable Runnable outlet;

    /** The state of an entity that the client has, and the next one that it gets. */
    private static final class SentState {
        private String state = "";
        private long mark;
        private @Nullable Frame next;

        private String newest() {
            Frame waits = next;
            return waits == null ? state : waits.state();
        }
    }

    /**
     * Creates a stream without entities.
     *
     * @param user whose own reactions it shows; null for none
     * @param whenEnded runs once, when the stream has ended
     */
    Watcher(String id, @Nullable String user, StreamCredential credential, Runnable whenEnded) {
        this.id = id;
        this.user = user;
        this.credential = credential;
        this.whenEnded = whenEnded;
    }

    String id() {
        return id;
    }

    @Nullable String user() {
        return user;
    }

    StreamCredential credential() {
        return credential;
    }

    /** Returns the lock under which the watched set is replaced. */
    ReentrantLock replacing() {
        return replacing;
    }

    synchronized String namespace() {
        return namespace;
    }

    /** Returns nanoseconds since it began. */
    long age() {
        return System.nanoTime() - since;
    }

    /**
     * Replaces the watched entities; what was sent of those that stay is kept.
     *
     * @return false when the stream has ended
     */
    synchronized boolean watch(String ofNamespace, Collection<EntityKey> keys) {
        if (over) {
            return false;
        }
        namespace = ofNamespace;
        watched.keySet().removeIf(key -> !keys.contains(key) && forget(key));
        keys.forEach(key -> watched.computeIfAbsent(key, _ -> new SentState()));
        return true;
    }

    private boolean forget(EntityKey key) {
        SentState sent = watched.get(key);
        if (sent != null) {
            mark ^= sent.mark;
            pending.remove(key);
        }
        return true;
    }

    synchronized Set<EntityKey> watched() {
        return Set.copyOf(watched.keySet());
    }

    /** Takes a state, unless the client has it, or a newer one, or the stream ends. */
    synchronized void offer(Frame frame) {
        SentState sent = watched.get(frame.key());
        if (!over && sent != null && frame.state().compareTo(sent.newest()) > 0) {
            sent.next = frame;
            pending.add(frame.key());
        }
    }

    /**
     * Takes a state that the client may have already.
     *
     * @param has whether the client has it
     */
    synchronized void offer(Frame frame, boolean has) {
        SentState sent = watched.get(frame.key());
        if (!has || sent == null || !sent.newest().isEmpty()) {
            offer(frame);
            return;
        }
        sent.state = frame.state();
        sent.mark = frame.mark();
        mark ^= frame.mark();
    }

    /** Sends a notice before the next state. */
    synchronized void announce(String notice) {
        notices.add(new StreamNotice(notice, null));
    }

    /** Sends a comment after this time without an event. */
    synchronized void keepAlive(long silenceNanos) {
        if (!over && notices.isEmpty() && System.nanoTime() - lastEvent >= silenceNanos) {
            notices.add(HEARTBEAT);
        }
    }

    /**
     * Ends the stream after the states that wait and a last notice.
     *
     * @param end the same as the notice, for streams of other protocols
     */
    synchronized void end(String notice, LiveStreams.StreamEnd end) {
        if (!over) {
            over = true;
            last = new StreamNotice(notice, end);
        }
    }

    /**
     * Connects the stream to its client.
     *
     * @param to sends what waits, as far as the client reads
     */
    void connect(Runnable to) {
        outlet = to;
        to.run();
    }

    /** Sends what waits, as far as the client reads. */
    void pump() {
        Runnable to = outlet;
        if (to != null) {
            to.run();
        }
    }

    @Override
    public byte @Nullable [] next() {
        StreamEvent event = take();
        return event == null ? null : event.bytes();
    }

    /** Takes the next state or end for a stream of another protocol; null if there is none now. */
    LiveStreams.@Nullable LiveEvent nextLive() {
        for (StreamEvent event = take(); event != null; event = take()) {
            LiveStreams.LiveEvent shown =
                    switch (event) {
                        case StateEvent state ->
                                new LiveStreams.StreamState(
                                        state.frame().key().namespace(),
                                        state.frame().shown(),
                                        state.first(),
                                        state.mark());
                        case StreamNotice notice -> notice.end();
                    };
            if (shown != null) {
                return shown;
            }
        }
        return null;
    }

    private synchronized @Nullable StreamEvent take() {
        StreamNotice notice = notices.poll();
        if (notice != null) {
            lastEvent = System.nanoTime();
            return notice;
        }
        var keys = pending.iterator();
        if (!keys.hasNext()) {
            StreamNotice end = last;
            last = null;
            return end;
        }
        SentState sent = watched.get(keys.next());
        keys.remove();
        Frame frame = sent == null ? null : sent.next;
        if (sent == null || frame == null) {
            return HEARTBEAT;
        }
        boolean first = sent.state.isEmpty();
        mark ^= sent.mark ^ frame.mark();
        sent.state = frame.state();
        sent.mark = frame.mark();
        sent.next = null;
        lastEvent = System.nanoTime();
        return new StateEvent(frame, first, HexFormat.of().toHexDigits(mark));
    }

    @Override
    public synchronized boolean isOver() {
        return over;
    }

    @Override
    public void ended() {
        synchronized (this) {
            over = true;
            if (hasEnded) {
                return;
            }
            hasEnded = true;
        }
        whenEnded.run();
    }
}
