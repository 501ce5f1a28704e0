package dev.ovation.live;

import dev.ovation.entity.EntityKey;
import dev.ovation.live.WatchedEntities.WatchedEntity;
import dev.ovation.reaction.CommittedViews;
import dev.ovation.reaction.CommittedViews.CommittedView;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that offers new committed states to streams. Changed entities are marked, read
 * together at most once each interval, and offered to all their streams. Announcements may be lost,
 * so it compares all watched entities with Postgres from time to time.
 */
final class ChangeLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeLoop.class);

    /** Entities of one read. */
    private static final int TOGETHER = 200;

    private static final int COMPARED_TOGETHER = 1000;
    private static final Duration AFTER_FAILURE = Duration.ofMillis(250);

    private final WatchedEntities watched;
    private final CommittedViews views;
    private final long intervalNanos;
    private final long checkNanos;
    private final Set<EntityKey> marked = ConcurrentHashMap.newKeySet();
    private long nextCheck = System.nanoTime();
    private boolean failing;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;

    /**
     * Creates the loop.
     *
     * @param interval least time between two reads of one entity
     * @param check time between two comparisons
     */
    ChangeLoop(WatchedEntities watched, CommittedViews views, Duration interval, Duration check) {
        this.watched = watched;
        this.views = views;
        this.intervalNanos = interval.toNanos();
        this.checkNanos = check.toNanos();
    }

    /** Marks an entity that may have a new committed state, if a stream watches it. */
    void changed(EntityKey key) {
        if (watched.of(key) != null && marked.add(key)) {
            LockSupport.unpark(thread);
        }
    }

    /** Marks all watched entities, because announcements may be missing. */
    void missed() {
        marked.addAll(watched.keys());
        LockSupport.unpark(thread);
    }

    void start() {
        stopped = false;
        thread = Thread.ofPlatform().daemon().name("live-changes").start(this);
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!stopped) {
            long start = System.nanoTime();
            boolean done = turn(start);
            long pause = done ? intervalNanos : Math.max(intervalNanos, AFTER_FAILURE.toNanos());
            for (long left = pause;
                    left > 0 && !stopped;
                    left = start + pause - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            while (marked.isEmpty() && !stopped && System.nanoTime() - nextCheck < 0) {
                LockSupport.parkNanos(nextCheck - System.nanoTime());
            }
        }
    }

    /** Returns false when Postgres could not be asked; then all marks remain. */
    private boolean turn(long now) {
        try {
            if (now - nextCheck >= 0) {
                nextCheck = now + checkNanos;
                compare();
            }
            while (!marked.isEmpty() && !stopped) {
                push();
            }
            failing = false;
            return true;
        } catch (RuntimeException e) {
            if (!failing) {
                failing = true;
                LOG.warn("Streams get no changes now: {}", e.getClass().getSimpleName());
                LOG.debug("The same with its message", e);
            }
            return false;
        }
    }

    /** Marks the entities whose committed state is another than the one offered last. */
    private void compare() {
        List<EntityKey> all = List.copyOf(watched.keys());
        for (int from = 0; from < all.size(); from += COMPARED_TOGETHER) {
            List<EntityKey> keys =
                    all.subList(from, Math.min(all.size(), from + COMPARED_TOGETHER));
            Map<EntityKey, Long> numbers = views.numbers(keys);
            for (EntityKey key : keys) {
                WatchedEntity entity = watched.of(key);
                if (entity != null && entity.offered() != numbers.getOrDefault(key, 0L)) {
                    marked.add(key);
                }
            }
        }
    }

    private void push() {
        List<EntityKey> taken = take();
        try {
            Map<EntityKey, Set<String>> viewers = new LinkedHashMap<>();
            for (EntityKey key : taken) {
                WatchedEntity entity = watched.of(key);
                if (entity != null) {
                    viewers.put(key, viewers(entity));
                }
            }
            if (!viewers.isEmpty()) {
                views.read(viewers)
                        .forEach(view -> offer(view, viewers.getOrDefault(view.key(), Set.of())));
            }
        } catch (RuntimeException e) {
            marked.addAll(taken);
            throw e;
        }
    }

    /** A mark is taken before the read: a change after the read marks the entity again. */
    private List<EntityKey> take() {
        List<EntityKey> taken = new ArrayList<>();
        for (var all = marked.iterator(); all.hasNext() && taken.size() < TOGETHER; ) {
            taken.add(all.next());
            all.remove();
        }
        return taken;
    }

    private static Set<String> viewers(WatchedEntity entity) {
        Set<String> viewers = new HashSet<>();
        for (Watcher each : entity.watchers()) {
            String user = each.user();
            if (user != null) {
                viewers.add(user);
            }
        }
        return viewers;
    }

    /**
     * Offers a view. A stream that came after the read of the viewers reads the entity itself, no
     * earlier than this read.
     */
    private void offer(CommittedView view, Set<String> viewers) {
        WatchedEntity entity = watched.of(view.key());
        if (entity == null) {
            return;
        }
        Map<String, Frame> ofUsers = new HashMap<>();
        Frame shared = null;
        boolean all = true;
        for (Watcher watcher : entity.watchers()) {
            String user = watcher.user();
            if (user == null) {
                shared = shared == null ? Frame.of(view, null) : shared;
                watcher.offer(shared);
            } else if (viewers.contains(user)) {
                watcher.offer(ofUsers.computeIfAbsent(user, each -> Frame.of(view, each)));
            } else {
                all = false;
            }
            watcher.pump();
        }
        entity.offered(all ? view.number() : WatchedEntity.NONE);
    }
}
