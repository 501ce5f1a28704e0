package dev.ovation.chaos;

import dev.ovation.testing.EventStream;
import dev.ovation.testing.Wait;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * A client that watches entities all the time. It cuts its stream at times, and resumes after the
 * last event, through any door.
 */
final class StreamWatcher {

    /** A stream without an event or a comment for longer is opened again. */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final StreamJudge judge;
    private final List<Door> doors;
    private final Figures figures;
    private final Violations violations;
    private final Random random;
    private Door door;
    private EventStream stream;
    private String lastId;
    private int comments;
    private long heard;

    StreamWatcher(
            StreamJudge judge,
            long seed,
            List<Door> doors,
            Figures figures,
            Violations violations) {
        this.judge = judge;
        this.doors = doors;
        this.figures = figures;
        this.violations = violations;
        this.random = new Random(seed * 31 + judge.places().hashCode());
    }

    /** Judges what came, and resumes if the stream ended, is silent, or chance cuts it. */
    void act() {
        take();
        if (stream == null || isUseless() || random.nextInt(50) == 0) {
            leave();
            open(doors.get(random.nextInt(doors.size())));
        }
    }

    /** Waits until the last state of each entity is what is stored. */
    void end(Callable<Snapshot> stored, Duration bound) {
        Wait.until(
                "a watcher has what is stored",
                bound,
                () -> {
                    take();
                    if (stream == null || isUseless()) {
                        leave();
                        open(doors.getFirst());
                    }
                    return judge.differences(stored.call());
                },
                List::isEmpty);
        leave();
    }

    private void open(Door through) {
        door = through;
        heard = System.nanoTime();
        comments = 0;
        if (!through.isOpen()) {
            return; // another program may have the port of an instance that is down
        }
        String[] resume =
                lastId == null ? new String[0] : new String[] {"Last-Event-ID: " + lastId};
        try {
            stream =
                    EventStream.open(
                            through.link.port(),
                            judge.places().getFirst().space().id(),
                            judge.places().stream().map(Place::entity).toList(),
                            judge.user(),
                            resume);
        } catch (UncheckedIOException e) {
            stream = null; // the link is down
        }
        figures.ended(through, true, stream == null ? "no stream" : "stream", false);
    }

    /** Whether the stream ended, was refused, or is silent. */
    private boolean isUseless() {
        String head = stream.head();
        return stream.isEnded()
                || !head.isEmpty() && !head.startsWith("HTTP/1.1 200")
                || System.nanoTime() - heard > SILENCE.toNanos();
    }

    private void leave() {
        if (stream == null) {
            return;
        }
        stream.close();
        Wait.until("the stream is read to its end", stream::isEnded);
        take();
        stream.violations().forEach(violations::add);
        String head = stream.head().lines().findFirst().orElse("");
        if (!head.isEmpty() && !head.contains(" 200") && !head.contains(" 503")) {
            violations.add("%s: a stream was answered by %s".formatted(door, head));
        }
        stream = null;
    }

    private void take() {
        if (stream == null) {
            return;
        }
        var events = stream.drain();
        int all = stream.comments();
        if (!events.isEmpty() || all > comments) {
            heard = System.nanoTime();
        }
        comments = all;
        for (var event : events) {
            lastId = event.id().isEmpty() ? lastId : event.id();
            if (event.name().equals("snapshot") || event.name().equals("change")) {
                judge.received(event.json(), door.name);
                figures.ended(door, true, "state of a stream", false);
            }
        }
    }
}
