package dev.ovation.chaos;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

/** Reads all events through any door, page by page, and some pages twice. */
final class EventReader {

    private static final int MOST = 200;

    private final EventJudge judge;
    private final List<Door> doors;
    private final Figures figures;
    private final Violations violations;
    private final Random random;
    private String before = "";
    private JsonNode last = JsonNodeFactory.instance.arrayNode();
    private String cursor = "";

    EventReader(
            EventJudge judge, long seed, List<Door> doors, Figures figures, Violations violations) {
        this.judge = judge;
        this.doors = doors;
        this.figures = figures;
        this.violations = violations;
        this.random = new Random(seed * 31 + 1);
    }

    /** Begins before the first change. */
    void begin(Duration bound) {
        Wait.until("the log is open", bound, () -> next(doors.getFirst(), 0));
    }

    /** Reads the next page, or sometimes the last one again. */
    void act() {
        var door = doors.get(random.nextInt(doors.size()));
        if (random.nextInt(10) > 0) {
            next(door, random.nextInt(2));
            return;
        }
        JsonNode page = page(door, before, 0);
        if (page != null) {
            JsonNode events = page.at("/events");
            judge.readAgain(last, events, events.size() < MOST, door.name);
        }
    }

    /** Reads until no event is left and the events make up what is stored. */
    void end(Callable<Snapshot> stored, Duration bound) {
        Wait.until(
                "the events make up what is stored",
                bound,
                () -> {
                    boolean isAnswered = next(doors.get(random.nextInt(doors.size())), 0);
                    return isAnswered && last.isEmpty()
                            ? judge.differences(stored.call())
                            : List.of("more events may follow");
                },
                List::isEmpty);
    }

    private boolean next(Door door, int wait) {
        JsonNode page = page(door, cursor, wait);
        if (page == null) {
            return false;
        }
        last = page.at("/events");
        judge.read(last, door.name);
        before = cursor;
        cursor = page.at("/next_cursor").asString();
        return true;
    }

    /** Returns null without an answer of 200. */
    private JsonNode page(Door door, String from, int wait) {
        JsonNode page = null;
        var query = Map.of("cursor", from, "limit", "" + MOST, "wait", "" + wait);
        try {
            var answer = door.send("GET", "/events?" + Instance.encode(query), null);
            if (answer.status() == 200) {
                page = answer.json();
            } else if (answer.status() != 503) {
                violations.add("%s: a read of events was answered by %s".formatted(door, answer));
            }
        } catch (IOException | JacksonException e) {
            // the link or the instance is down
        }
        figures.ended(door, true, page == null ? "no events" : "events", false);
        return page;
    }
}
