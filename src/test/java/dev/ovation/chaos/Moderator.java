package dev.ovation.chaos;

import dev.ovation.chaos.Histories.Concern;
import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Instance;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Locks and unlocks entities, and takes reactions off them, request after request, through any
 * door. A request without an answer is repeated until it has one. As it may be executed once more
 * at any later time, it is the last one for the entity: clients go on with another one.
 */
final class Moderator {

    private static final Space SPACE = Space.TEXTS;

    private final List<Ban.Effect> effects;
    private final Histories histories;
    private final List<Door> doors;
    private final Figures figures;
    private final Violations violations;
    private final Random random;
    private final List<Place> places = new CopyOnWriteArrayList<>();
    private Task task;
    private int replaced;

    /** A change of one entity that waits for its answer. */
    private final class Task {
        private final Place place;
        private final Operation clear;
        private final int passing;
        private boolean late;

        /** Whether a job takes the reactions off. */
        private boolean begun;

        private Task(Place place, Operation clear, int passing) {
            this.place = place;
            this.clear = clear;
            this.passing = passing;
        }

        private void begin() {
            if (clear == null) {
                histories.locks(place).asked(passing);
            } else {
                open(clear);
            }
        }

        private void open(Operation moderation) {
            histories.opened(moderation, Concern.of(place));
        }

        private void done() {
            if (clear == null) {
                histories.locks(place).inForce();
            } else {
                histories.settled(clear);
                if (late) {
                    open(Operation.moderation(Kind.CLEAR, clear.reaction));
                }
            }
        }

        private void refused() {
            if (clear == null) {
                histories.locks(place).refused();
            } else {
                histories.withdrawn(clear);
            }
        }

        private String method() {
            return clear == null ? "PUT" : "DELETE";
        }

        private String target() {
            var query = new HashMap<String, String>();
            query.put("namespace_id", SPACE.id());
            query.put("entity_id", place.entity());
            if (clear != null) {
                query.put("reaction_id", SPACE.reactions.get(clear.reaction).sent(clear.form));
            }
            return (clear == null ? "/entities?" : "/reactions/all?") + Instance.encode(query);
        }

        private String body() {
            if (clear != null) {
                return null;
            }
            var body = new HashMap<String, Object>();
            body.put("locked", passing != LockRegister.OPEN);
            if (passing > 0) {
                body.put("reaction_ids", SPACE.sent(passing, 1));
            }
            return JsonMapper.shared().writeValueAsString(body);
        }
    }

    /**
     * Creates a moderator.
     *
     * @param effects those that the bans of clients may have
     */
    Moderator(
            long seed,
            List<Ban.Effect> effects,
            Histories histories,
            List<Door> doors,
            Figures figures,
            Violations violations) {
        this.effects = effects;
        this.histories = histories;
        this.doors = doors;
        this.figures = figures;
        this.violations = violations;
        this.random = new Random(seed * 31 + 2);
        places.addAll(firstPlaces());
    }

    /** The first entities of all, which are replaced in the course of the run. */
    static List<Place> firstPlaces() {
        return Stream.of("hot-0", "hot-1", "cold-0", "cold-1")
                .map(entity -> new Place(SPACE, entity))
                .toList();
    }

    List<Ban.Effect> effects() {
        return effects;
    }

    /** An entity for a client; the first ones more often. */
    Place anywhere(Random chance) {
        return places.get(Math.min(chance.nextInt(6), chance.nextInt(places.size())));
    }

    /** Sends the next request. */
    void act() {
        if (task == null) {
            task = next();
            task.begin();
        }
        send(doors.get(random.nextInt(doors.size())));
    }

    private Task next() {
        Place place = places.get(random.nextInt(places.size()));
        int all = (1 << SPACE.kinds) - 1 & ~SPACE.foreign;
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> new Task(place, null, LockRegister.OPEN);
            case 3 -> new Task(place, null, 0);
            case 4, 5 -> new Task(place, null, 1 + random.nextInt(all));
            default ->
                    new Task(
                            place,
                            Operation.moderation(Kind.CLEAR, random.nextInt(SPACE.kinds - 1)),
                            0);
        };
    }

    /** Repeats the request that has no answer, until the end. */
    void settle(long end) throws InterruptedException {
        while (task != null && System.nanoTime() < end) {
            send(doors.get(random.nextInt(doors.size())));
            Thread.sleep(20);
        }
        if (task != null) {
            violations.add("no answer to %s of %s".formatted(task.method(), task.target()));
        }
    }

    private void send(Door door) {
        Outcome outcome;
        try {
            var answer = door.send(task.method(), task.target(), task.body());
            boolean isBegun = answer.status() == 202;
            task.begun |= isBegun;
            outcome = isBegun ? null : Answers.outcome(answer);
            if (!isBegun && outcome == null) {
                violations.add(
                        "%s: %s %s was answered by %s"
                                .formatted(door, task.method(), task.target(), answer));
                outcome = Outcome.UNKNOWN;
            }
        } catch (ConnectException | HttpConnectTimeoutException e) {
            outcome = null; // nothing was sent
        } catch (IOException | JacksonException e) {
            outcome = Outcome.UNKNOWN;
        }
        String what = task.clear == null ? "lock" : "clear";
        boolean isDone = outcome == Outcome.OK;
        figures.ended(door, false, isDone ? what : what + " unavailable", isDone);
        if (outcome == Outcome.UNKNOWN && !task.late) {
            task.late = true;
            replace(task.place);
        } else if (isDone) {
            task.done();
            task = null;
        } else if (outcome == Outcome.UNAVAILABLE && !task.late && !task.begun) {
            task.refused();
            task = null;
        }
    }

    private void replace(Place place) {
        int index = places.indexOf(place);
        String name = place.entity().replaceFirst("-of-.*", "");
        places.set(index, new Place(SPACE, name + "-of-" + ++replaced));
    }
}
