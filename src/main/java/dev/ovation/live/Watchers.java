package dev.ovation.live;

import dev.ovation.entity.EntityKey;
import dev.ovation.live.StreamRequests.WatchRequest;
import dev.ovation.reaction.CommittedViews;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The streams of this instance, up to a bound. A stream ends when its client leaves, its credential
 * is no longer accepted, it is too old, or the instance stops.
 */
final class Watchers implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Watchers.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** Clients of a stream that the service ends come back spread over this time. */
    private static final int LEAST_RETRY_MILLIS = 500;

    private static final int MOST_RETRY_MILLIS = 3000;

    private final WatchedEntities watched;
    private final CommittedViews views;
    private final ChangeLoop changes;
    private final LiveMetrics metrics;
    private final int most;
    private final LiveSettings.LiveConstants times;
    private final Map<String, Watcher> streams = new ConcurrentHashMap<>();
    private final AtomicInteger taken = new AtomicInteger();
    private @Nullable ScheduledExecutorService clock;
    private volatile boolean stopping;

    Watchers(
            WatchedEntities watched,
            CommittedViews views,
            ChangeLoop changes,
            MeterRegistry registry,
            LiveSettings settings,
            LiveSettings.LiveConstants times) {
        this.watched = watched;
        this.views = views;
        this.changes = changes;
        this.most = settings.watchers();
        this.times = times;
        this.metrics = new LiveMetrics(registry, this, watched);
    }

    /**
     * Checks that there is such a namespace.
     *
     * @throws ProblemException 404 when there is none
     */
    void demand(String namespace) {
        views.demand(namespace);
    }

    /** Returns the number of open streams. */
    int size() {
        return taken.get();
    }

    /**
     * Opens a stream, whose snapshots then wait for its connection.
     *
     * @throws ProblemException 404 when there is no such namespace, 503 when there are too many
     *     streams, or Postgres cannot be asked now
     */
    Watcher open(WatchRequest watch, StreamCredential credential) {
        if (stopping) {
            throw Problems.unavailable("this instance stops", RETRY_AFTER);
        }
        if (taken.incrementAndGet() > most) {
            taken.decrementAndGet();
            metrics.refused();
            throw Problems.tooManyWatchers(most, RETRY_AFTER);
        }
        String id = UUID.randomUUID().toString();
        var watcher = new Watcher(id, watch.user(), credential, () -> forget(id));
        streams.put(id, watcher);
        try {
            watcher.announce(
                    "event: hello\nretry: %d\ndata: {\"stream_id\":\"%s\"}\n\n"
                            .formatted(retryMillis(), id));
            replace(watcher, watch);
            return watcher;
        } catch (RuntimeException | Error e) {
            watcher.ended();
            throw e;
        }
    }

    private void forget(String id) {
        Watcher watcher = streams.remove(id);
        if (watcher != null) {
            watched.remove(watcher, watcher.watched());
            taken.decrementAndGet();
        }
    }

    /**
     * Replaces the watched entities of a stream and offers the states of new ones.
     *
     * @throws ProblemException 404 when there is no such namespace or the stream has ended
     */
    void replace(Watcher watcher, WatchRequest watch) {
        views.demand(watch.namespace());
        watcher.replacing().lock();
        try {
            replaceAlone(watcher, watch);
        } finally {
            watcher.replacing().unlock();
        }
        watcher.pump();
    }

    private void replaceAlone(Watcher watcher, WatchRequest watch) {
        Set<EntityKey> wanted = new HashSet<>(watch.keys());
        Set<EntityKey> before;
        synchronized (watcher) {
            before = watcher.watched();
            if (!watcher.watch(watch.namespace(), wanted)) {
                throw Problems.unknownStream();
            }
            watched.add(watcher, without(wanted, before));
        }
        try {
            offer(watcher, without(wanted, before), watch.lastId());
        } catch (RuntimeException e) {
            takeBack(watcher, wanted, before);
            throw e;
        }
        watched.remove(watcher, without(before, wanted));
    }

    /** The client keeps its set, so the states that it lacks of removed entities are sent again. */
    private void takeBack(Watcher watcher, Set<EntityKey> wanted, Set<EntityKey> before) {
        synchronized (watcher) {
            watched.remove(watcher, without(wanted, before));
            if (!watcher.watch(watcher.namespace(), before)) {
                watched.remove(watcher, before);
            }
        }
    }

    private static Set<EntityKey> without(Set<EntityKey> all, Set<EntityKey> others) {
        Set<EntityKey> rest = new HashSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    /** A client whose last event named exactly these states gets none of them again. */
    private void offer(Watcher watcher, Collection<EntityKey> keys, @Nullable String lastId) {
        if (keys.isEmpty()) {
            return;
        }
        String user = watcher.user();
        Map<EntityKey, Set<String>> viewers = new HashMap<>();
        keys.forEach(key -> viewers.put(key, user == null ? Set.of() : Set.of(user)));
        List<Frame> frames = new ArrayList<>();
        long mark = 0;
        for (var view : views.read(viewers)) {
            Frame frame = Frame.of(view, user);
            frames.add(frame);
            mark ^= frame.mark();
        }
        boolean has = HexFormat.of().toHexDigits(mark).equals(lastId);
        frames.forEach(frame -> watcher.offer(frame, has));
    }

    /** Returns the stream of this id, null when this instance does not serve it. */
    @Nullable Watcher of(String id) {
        return streams.get(id);
    }

    /** After the web server; a stop therefore ends the streams before it waits for requests. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void start() {
        stopping = false;
        changes.start();
        var timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("live-clock").factory());
        long pause = Math.min(times.check().toMillis(), times.heartbeat().toMillis() / 2);
        var _ = timer.scheduleWithFixedDelay(this::check, pause, pause, TimeUnit.MILLISECONDS);
        clock = timer;
    }

    @Override
    public boolean isRunning() {
        return clock != null;
    }

    @Override
    public void stop() {
        stopping = true;
        if (clock != null) {
            clock.shutdownNow();
            clock = null;
        }
        changes.stop();
        streams.values().forEach(each -> end(each, "shutdown"));
    }

    private void check() {
        for (Watcher each : streams.values()) {
            try {
                check(each);
            } catch (RuntimeException e) {
                LOG.warn("A stream cannot be checked: {}", e.getClass().getSimpleName());
            }
        }
    }

    private void check(Watcher watcher) {
        if (!watcher.credential().allows(watcher.namespace(), watcher.user())) {
            end(watcher, "credential");
        } else if (isTooOld(watcher)) {
            end(watcher, "age");
        } else {
            watcher.keepAlive(times.heartbeat().toNanos());
            watcher.pump();
        }
    }

    private boolean isTooOld(Watcher watcher) {
        return watcher.age() > times.longest().toNanos();
    }

    private static void end(Watcher watcher, String reason) {
        int retry = retryMillis();
        watcher.end(
                "event: bye\nretry: %d\ndata: {\"reason\":\"%s\"}\n\n".formatted(retry, reason),
                new LiveStreams.StreamEnd(reason, retry));
        watcher.pump();
    }

    /** Connects a stream to its client. */
    void connect(Watcher watcher, Runnable outlet) {
        watcher.connect(outlet);
        if (stopping) {
            end(watcher, "shutdown");
        } else if (times.longest().isZero()) {
            end(watcher, "age");
        }
    }

    private static int retryMillis() {
        return ThreadLocalRandom.current().nextInt(LEAST_RETRY_MILLIS, MOST_RETRY_MILLIS);
    }
}
