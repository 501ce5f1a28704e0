package dev.ovation.web.tomcat;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * Deadline for input from a connection. Its thread begins and ends each wait. A watch looks at it
 * now and then, and ends the input of a connection that is late: its thread, if one waits, or the
 * next one, then reads the end of the stream. The socket is not closed here, because its owner may
 * use it at this moment.
 */
final class Deadline {

    private final AtomicReference<@Nullable Wait> current = new AtomicReference<>();
    private @Nullable SocketChannel connection;

    /** One wait. */
    static final class Wait {
        private final @Nullable SocketChannel connection;
        private final long until;

        /** Used by the watch only. */
        private boolean late;

        private Wait(@Nullable SocketChannel connection, long until) {
            this.connection = connection;
            this.until = until;
        }
    }

    /** Switches to this connection and clears the deadline. */
    void use(@Nullable SocketChannel connection) {
        this.connection = connection;
        clear();
    }

    /** Begins to wait, until {@code until} of {@link System#nanoTime}. */
    Wait begin(long until) {
        var wait = new Wait(connection, until);
        current.set(wait);
        return wait;
    }

    /** Ends a wait, and returns whether it ended in time. */
    boolean end(Wait wait) {
        return current.compareAndSet(wait, null);
    }

    /** Clears the deadline. */
    void clear() {
        current.set(null);
    }

    /**
     * Ends the input of a connection that was late at the last look and is still: a connection may
     * be late once because this whole process stood still.
     */
    void look(long now) {
        Wait wait = current.get();
        if (wait == null || wait.until - now >= 0) {
            return;
        }
        if (!wait.late) {
            wait.late = true;
        } else if (current.compareAndSet(wait, null)) {
            endInput(wait.connection);
        }
    }

    private static void endInput(@Nullable SocketChannel connection) {
        try {
            if (connection != null) {
                var _ = connection.shutdownInput();
            }
        } catch (IOException e) {
            return; // it is closed already
        }
    }

    /**
     * Deadlines of a port, in groups. Each check covers one group, so that connections that are
     * late end a few at a time: the threads that read their end would otherwise fill the run queue,
     * and other requests would wait behind them.
     */
    static final class Watch {

        private final List<Set<Deadline>> groups;
        private final AtomicInteger added = new AtomicInteger();

        /** Used by the thread that checks. */
        private int next;

        Watch(int groups) {
            this.groups =
                    IntStream.range(0, groups)
                            .mapToObj(
                                    _ ->
                                            Collections.newSetFromMap(
                                                    new WeakHashMap<Deadline, Boolean>()))
                            .toList();
        }

        /** Returns a new deadline, which is watched as long as something else refers to it. */
        Deadline newDeadline() {
            var deadline = new Deadline();
            var group = groups.get(Math.floorMod(added.getAndIncrement(), groups.size()));
            synchronized (group) {
                group.add(deadline);
            }
            return deadline;
        }

        /** Checks the next group, see {@link Deadline#look}; to be called by one thread. */
        void lookAtNext(long now) {
            var group = groups.get(next);
            next = (next + 1) % groups.size();
            synchronized (group) {
                group.forEach(deadline -> deadline.look(now));
            }
        }
    }
}
