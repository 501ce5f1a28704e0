package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Acts for users of its own, one operation after the other, and records their histories. A user
 * with too many unknown outcomes is replaced by the next user.
 */
final class Client {

    private static final int ACTS_OF_A_USER = 150;

    /** One user in this many is erased afterwards. */
    private static final int ERASED = 8;

    private static final int HOT = 2;
    private static final int COLD = 30;

    /** Entities of a generation beside the hot ones, few so that the final audit ends in time. */
    private static final int FEW = 6;

    private static final int SCREEN = 5;

    /** Consecutive users of a client who react to the same entities of {@link Space#RULED}. */
    private static final int GENERATION = 8;

    /** Pause between two retries at the end, so that the server gets the processor. */
    private static final int PAUSE_MILLIS = 5;

    /** Kinds of action of a client. */
    enum Habit {
        ALL,
        READS,
        WRITES
    }

    /** An operation that was sent with an idempotency key and has an unknown outcome. */
    private record Open(History history, Operation operation) {}

    private final String name;
    private final Habit habit;
    private final Random random;
    private final List<Door> doors;
    private final Histories histories;
    private final Figures figures;
    private final Violations violations;
    private final Reads reads;
    private final List<Open> open = new ArrayList<>();
    private final Kept kept = new Kept();
    private final Leavers leavers;
    private final Moderator moderator;
    private final List<Ban> bans = new ArrayList<>();
    private int user;
    private int acts;
    private int keys;

    /**
     * Creates a client.
     *
     * @param moderator of the entities of {@link Space#TEXTS}
     */
    Client(
            String name,
            Habit habit,
            long seed,
            List<Door> doors,
            Moderator moderator,
            Histories histories,
            Figures figures,
            Violations violations) {
        this.name = name;
        this.habit = habit;
        this.random = new Random(seed * 31 + name.hashCode());
        this.doors = doors;
        this.histories = histories;
        this.figures = figures;
        this.violations = violations;
        this.reads = new Reads(random, histories, figures, violations);
        this.leavers = new Leavers(histories, figures, violations);
        this.moderator = moderator;
        bans.add(ban());
    }

    private Ban ban() {
        return new Ban(user(), moderator.effects(), histories, figures, violations);
    }

    /** The present user. */
    String user() {
        return name + '-' + user;
    }

    /** Executes one action. */
    void act() {
        bans.forEach(Ban::tick);
        var door = doors.get(random.nextInt(doors.size()));
        if (!open.isEmpty() && random.nextBoolean()) {
            retry(open.get(random.nextInt(open.size())), door);
            return;
        }
        if (!kept.isEmpty() && random.nextInt(10) == 0) {
            boolean answered = kept.ask(door, random);
            figures.ended(door, false, answered ? "repeated" : "not repeated", answered);
            return;
        }
        if (!leavers.isEmpty() && random.nextInt(5) == 0) {
            leavers.erase(door);
            return;
        }
        if (random.nextInt(20) == 0) {
            bans.get(random.nextInt(bans.size())).act(door, random);
            return;
        }
        if (++acts % ACTS_OF_A_USER == 0) {
            leave();
        }
        var history = history(anywhere());
        boolean read = habit == Habit.READS || habit == Habit.ALL && random.nextInt(10) < 3;
        if (read) {
            look(history, door);
        } else if (random.nextInt(8) == 0) {
            batch(history, door);
        } else if (history.place.space() == Space.FREE && random.nextInt(40) == 0) {
            write(history, door, importing());
        } else {
            write(history, door, operation(history.place.space()));
        }
    }

    /** Continues as the next user. The bans of the last one are continued until their end. */
    private void leave() {
        String gone = user();
        Ban last = bans.getLast();
        if (user++ % ERASED == 0 && last.isSettled() && last.isSure()) {
            kept.forget(gone);
            leavers.add(gone);
        }
        bans.removeIf(Ban::isSettled);
        bans.add(ban());
    }

    /** Sends one batch of operations on one place or several, in order. */
    private void batch(History first, Door door) {
        var places = new ArrayList<>(List.of(first));
        var operations = new ArrayList<>(List.of(single(first.place.space(), null)));
        while (random.nextInt(5) > 0) {
            var next = random.nextBoolean() ? places.getLast() : history(anywhere());
            if (Collections.frequency(places, next) < next.room()) {
                places.add(next);
                operations.add(single(next.place.space(), null));
            }
        }
        places.forEach(History::sent);
        var outcomes = send(door, places, operations);
        for (int i = 0; i < operations.size(); i++) {
            judgeIfFull(places.get(i), operations.get(i), outcomes.get(i));
            places.get(i).answered(operations.get(i), outcomes.get(i), -1, door + " in a batch");
        }
        places.forEach(History::judged);
        boolean answered = !outcomes.contains(Outcome.UNAVAILABLE);
        figures.ended(door, false, answered ? "batch" : "batch unavailable", answered);
    }

    private List<Outcome> send(Door door, List<History> places, List<Operation> operations) {
        var all = Collections.nCopies(operations.size(), Outcome.UNKNOWN);
        var items = new ArrayList<Map<String, Object>>();
        for (int i = 0; i < operations.size(); i++) {
            var history = places.get(i);
            items.add(operations.get(i).ofABatch(history.user, history.place));
            histories.audience(history.place).sent(history.user, operations.get(i));
        }
        try {
            var answer = door.send("POST", "/reactions/batch", Instance.batch(items));
            if (answer.status() == 200) {
                var outcomes = Answers.outcomes(answer);
                if (outcomes.size() == operations.size() && !outcomes.contains(null)) {
                    return outcomes;
                }
            } else if (Answers.outcome(answer) != null) {
                return Collections.nCopies(operations.size(), Answers.outcome(answer));
            }
            violations.add("%s: a batch %s was answered by %s".formatted(door, items, answer));
            return all;
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return Collections.nCopies(operations.size(), Outcome.UNAVAILABLE);
        } catch (IOException | JacksonException e) {
            return all;
        }
    }

    /** Whether an entity can be written and read through a door; every second write adds. */
    boolean works(Door door, Place place) {
        var history = history(place);
        var kind = acts++ % 2 == 0 ? Kind.ENSURE : Kind.REMOVE;
        var outcome = write(history, door, new Operation(kind, 5, null, Person.UNKNOWN));
        boolean written = outcome == Outcome.OK || outcome == Outcome.LIMIT;
        return written && reads.one(history, door);
    }

    /** Resends the operations with an unknown outcome until each is final, or until the end. */
    void settle(long end) throws InterruptedException {
        while (!open.isEmpty() && System.nanoTime() < end) {
            bans.forEach(Ban::tick);
            retry(open.getFirst(), doors.get(random.nextInt(doors.size())));
            Thread.sleep(PAUSE_MILLIS);
        }
        open.forEach(
                one ->
                        one.history.violation(
                                "no final outcome of "
                                        + one.operation.text(one.history.place.space())));
        bans.removeIf(Ban::isSettled);
        while (!bans.isEmpty() && System.nanoTime() < end) {
            bans.getFirst().settle(doors.get(random.nextInt(doors.size())), random);
            bans.removeIf(Ban::isSettled);
            Thread.sleep(PAUSE_MILLIS);
        }
        bans.forEach(_ -> violations.add("a ban of " + name + " has no end"));
        while (!leavers.isEmpty() && System.nanoTime() < end) {
            leavers.erase(doors.get(random.nextInt(doors.size())));
            Thread.sleep(PAUSE_MILLIS);
        }
        leavers.end();
    }

    private History history(Place place) {
        var history = histories.of(user(), place);
        if (history.room() == 0) {
            user++;
            bans.add(ban());
            history = histories.of(user(), place);
        }
        return history;
    }

    private Place anywhere() {
        var space = Space.values()[random.nextInt(Space.values().length)];
        if (space == Space.TEXTS) {
            return moderator.anywhere(random);
        }
        return random.nextInt(3) > 0
                ? place(space, "hot-" + random.nextInt(HOT), user)
                : place(space, "cold-" + random.nextInt(space == Space.RULED ? FEW : COLD), user);
    }

    /**
     * An entity of a user. Users who leave fill an entity for ever, so each generation of users has
     * entities of its own where the number of reactions is limited.
     */
    private static Place place(Space space, String entity, int user) {
        return new Place(
                space, space == Space.RULED ? entity + "-of-" + user / GENERATION : entity);
    }

    /** Some entities to which the first users of all clients react, most of all to the first. */
    static List<Place> ofFirstUsers(Space space) {
        if (space == Space.TEXTS) {
            return Moderator.firstPlaces();
        }
        return Stream.of("hot-0", "hot-1", "cold-0", "cold-1", "cold-2")
                .map(entity -> place(space, entity, 0))
                .toList();
    }

    private Operation operation(Space space) {
        String key = random.nextInt(3) == 0 ? name + '-' + keys++ : null;
        if (random.nextInt(8) > 0) {
            return single(space, key);
        }
        int set = random.nextInt(1 << space.kinds);
        int fewer = space == Space.RULED ? set & random.nextInt(1 << space.kinds) : set;
        return Operation.put(fewer, random.nextInt(Reaction.FORMS), key, Person.any(random));
    }

    /**
     * An import to a place whose rules no set can break, because an import does not check rules.
     */
    private Operation importing() {
        int set = 1 + random.nextInt((1 << Space.FREE.kinds) - 1);
        return Operation.importing(set, name + '-' + keys++);
    }

    private Operation single(Space space, String key) {
        var kind =
                switch (random.nextInt(10)) {
                    case 0, 1 -> Kind.ADD;
                    case 2 -> Kind.ENSURE;
                    case 3, 4, 5 -> Kind.FORCE;
                    default -> Kind.REMOVE;
                };
        return new Operation(
                kind,
                random.nextInt(space.kinds),
                0,
                random.nextInt(Reaction.FORMS),
                key,
                Person.any(random),
                Instant.now());
    }

    private void retry(Open one, Door door) {
        var outcome = send(one.history, door, one.operation);
        if (outcome != Outcome.UNKNOWN && outcome != Outcome.UNAVAILABLE) {
            open.remove(one);
        }
    }

    private Outcome write(History history, Door door, Operation operation) {
        var outcome = send(history, door, operation);
        if (outcome == Outcome.UNKNOWN && operation.key != null) {
            open.add(new Open(history, operation));
        }
        return outcome;
    }

    private Outcome send(History history, Door door, Operation operation) {
        var headers = new ArrayList<String>();
        if (operation.key != null) {
            headers.addAll(List.of("Idempotency-Key", operation.key));
        }
        if (operation.kind == Kind.IMPORT) {
            headers.addAll(List.of("Content-Type", Imports.CSV));
        } else if (random.nextBoolean()) {
            headers.addAll(List.of("Prefer", "return=representation"));
        }
        var place = history.place;
        var audience = histories.audience(place);
        audience.sent(history.user, operation);
        history.sent();
        Outcome outcome;
        int own = -1;
        try {
            var sent = headers.toArray(String[]::new);
            var answer = door.write(history, operation, sent);
            outcome = Answers.outcome(answer);
            if (outcome == null) {
                history.violation(
                        "%s: %s was answered by %s"
                                .formatted(door, operation.text(place.space()), answer));
                outcome = Outcome.UNKNOWN;
            }
            if (outcome == Outcome.OK && operation.key != null) {
                kept.add(history, operation, sent, answer);
            }
            if (outcome == Outcome.OK && answer.json().has("entity")) {
                JsonNode entity = answer.json().at("/entity");
                own = Answers.own(place, entity);
                history.shown(own, Answers.counted(place, entity));
                if (!histories.locks(place).mayShow(Answers.isLocked(entity), operation.at)) {
                    history.violation("the lock is another one: " + entity);
                }
                if (answer.json().at("/outcome").asString().equals("applied")) {
                    String version = answer.json().at("/entity/version").asString();
                    history.acknowledged(version);
                    audience.acknowledged(version, System.nanoTime());
                }
            }
        } catch (ConnectException | HttpConnectTimeoutException e) {
            outcome = Outcome.UNAVAILABLE;
        } catch (IOException | JacksonException e) {
            outcome = Outcome.UNKNOWN;
        }
        judgeIfFull(history, operation, outcome);
        history.answered(operation, outcome, own, door.name);
        history.judged();
        boolean answered = outcome != Outcome.UNAVAILABLE && outcome != Outcome.UNKNOWN;
        String what = operation.kind == Kind.IMPORT ? "import " : "";
        figures.ended(door, false, what + outcome.name().toLowerCase(), answered);
        return outcome;
    }

    private void judgeIfFull(History history, Operation operation, Outcome outcome) {
        if (outcome == Outcome.FULL) {
            histories.audience(history.place).full(operation);
        }
    }

    /** Reads one entity or several, as the user or anonymously. */
    private void look(History history, Door door) {
        var screen = Stream.generate(this::anywhere).distinct().limit(SCREEN).toList();
        switch (random.nextInt(8)) {
            case 0 -> reads.everybodys(List.of(history.place), door);
            case 1 -> reads.everybodys(screen, door);
            case 2, 3 -> reads.screen(history.user, screen, door);
            default -> reads.one(history, door);
        }
    }
}
