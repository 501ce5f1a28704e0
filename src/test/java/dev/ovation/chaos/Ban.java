package dev.ovation.chaos;

import dev.ovation.chaos.Histories.Concern;
import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Bans one user, changes the effect of the ban, and lifts it again, request after request, through
 * any door. A request without an answer is repeated until it has one. As it may be executed once
 * more at any later time, it is the last one for the user: the ban stays, or the user is not banned
 * again.
 */
final class Ban {

    /** The effect of a ban on reactions. */
    enum Effect {
        KEEP(Kind.SHOW),
        HIDE(Kind.HIDE),
        REMOVE(Kind.STRIP);

        private final Kind change;

        Effect(Kind change) {
            this.change = change;
        }

        private String id() {
            return name().toLowerCase();
        }
    }

    private enum Stage {
        NONE,
        /** The request has no answer yet. */
        ASKED,
        /** The ban is in force, and its job changes the reactions. */
        CHANGING,
        IN_FORCE,
        /** The request to lift it has no answer yet, or hidden reactions come back. */
        LIFTING
    }

    /** A job needs longer than the shortest bans, and less than the longest. */
    private static final int MOST_SECONDS = 15;

    /** The ban before a request that changes it. */
    private record Before(Stage stage, Effect effect, Operation change, boolean hides) {}

    private final String user;
    private final List<Effect> effects;
    private final Histories histories;
    private final Violations violations;
    private final BanRequests requests;
    private final BanRegister register;
    private Stage stage = Stage.NONE;

    /** The namespace; null for all. */
    private Space space;

    private Instant until;
    private Effect effect;

    /** The change of the reactions that is open; null for none. */
    private Operation change;

    /** The ban before the request; null when there was none. */
    private Before before;

    private Operation show;
    private String job;

    /** Whether reactions may be hidden. */
    private boolean hides;

    /** Whether the ban has ended by itself. */
    private boolean over;

    /**
     * Creates the bans of a user.
     *
     * @param effects those that they may have
     */
    Ban(
            String user,
            List<Effect> effects,
            Histories histories,
            Figures figures,
            Violations violations) {
        this.user = user;
        this.effects = effects;
        this.histories = histories;
        this.violations = violations;
        this.requests = new BanRequests(figures, violations);
        this.register = histories.bans(user);
    }

    /** Whether no request and no job is open. */
    boolean isSettled() {
        return stage == Stage.NONE || stage == Stage.IN_FORCE;
    }

    /** Whether no request may be executed at a later time. */
    boolean isSure() {
        return !requests.isLate();
    }

    /**
     * Registers the end of a ban that ends by itself: it does not concern what its user adds
     * afterwards. Clients call this before each request.
     */
    void tick() {
        if (!over && until != null && !Instant.now().isBefore(until)) {
            over = true;
            for (Operation open : open()) {
                histories.over(open, until);
            }
        }
    }

    private List<Operation> open() {
        return Stream.of(change, before == null ? null : before.change)
                .filter(one -> one != null && one.kind != Kind.SHOW)
                .toList();
    }

    /** Sends the next request, if there is one. */
    void act(Door door, Random random) {
        switch (stage) {
            case NONE -> {
                if (!requests.isLate()) {
                    begin(random);
                    ask(door);
                }
            }
            case ASKED -> ask(door);
            case CHANGING -> {
                if (random.nextInt(10) > 0 || !goOn(door, random)) {
                    look(door);
                }
            }
            case IN_FORCE -> goOn(door, random);
            case LIFTING -> lift(door);
        }
    }

    /** Changes the ban or lifts it, if it is certain what is executed; returns whether it is. */
    private boolean goOn(Door door, Random random) {
        if (requests.isLate()) {
            return false;
        }
        var next = effects.get(random.nextInt(effects.size()));
        if (!over && next != effect && (mayReturn() || next != Effect.KEEP)) {
            change(next);
            ask(door);
            return true;
        }
        if (mayReturn()) {
            lift(door);
            return true;
        }
        return false;
    }

    /**
     * Whether hidden reactions may come back. The return bypasses the rules, so in all namespaces
     * it could break those of one.
     */
    private boolean mayReturn() {
        return space != null || !hides;
    }

    /** Sends the next request towards the end of all that is open. */
    void settle(Door door, Random random) {
        tick();
        if (stage == Stage.CHANGING && !requests.isLate() && mayReturn()) {
            lift(door);
        } else if (stage == Stage.CHANGING) {
            look(door);
        } else {
            act(door, random);
        }
    }

    private void begin(Random random) {
        space = random.nextInt(3) == 0 ? null : Space.TONES;
        until = random.nextInt(3) == 0 ? end(random) : null;
        over = false;
        hides = false;
        effect = effects.get(random.nextInt(effects.size()));
        register.asked(space, until == null ? Instant.MAX : until);
        if (effect != Effect.KEEP) {
            change = open(effect.change);
        }
        hides = effect == Effect.HIDE;
        stage = Stage.ASKED;
    }

    private static Instant end(Random random) {
        return Instant.now().plusSeconds(1 + random.nextInt(MOST_SECONDS));
    }

    private void change(Effect next) {
        before = new Before(stage, effect, change, hides);
        effect = next;
        change = open(next.change);
        hides |= next == Effect.HIDE;
        stage = Stage.ASKED;
    }

    private Operation open(Kind kind) {
        var moderation = Operation.moderation(kind, 0);
        histories.opened(moderation, Concern.of(user, space));
        return moderation;
    }

    private void ask(Door door) {
        var body =
                until == null
                        ? Map.of("reactions", effect.id())
                        : Map.of("reactions", effect.id(), "until", until.toString());
        Answer answer =
                requests.send(door, "PUT", target(), JsonMapper.shared().writeValueAsString(body));
        if (answer == null) {
            return;
        }
        boolean isDone = answer.status() == 200;
        if (isDone || answer.status() == 202) {
            if (before == null) {
                register.inForce();
            } else if (before.change != null) {
                histories.closed(before.change); // its job is cancelled
            }
            before = null;
            job = isDone ? null : answer.json().at("/job_id").asString();
            stage = isDone ? Stage.IN_FORCE : Stage.CHANGING;
            if (isDone) {
                answered();
            }
        } else if (!requests.isLate()) {
            refused();
        }
    }

    /** A ban that was over when it was requested has changed nothing. */
    private void answered() {
        tick();
        if (!over) {
            complete();
        } else if (!requests.isLate() && change != null) {
            histories.closed(change);
            change = null;
        }
    }

    private void refused() {
        if (change != null) {
            histories.withdrawn(change);
            change = null;
        }
        if (before == null) {
            register.refused();
            stage = Stage.NONE;
        } else {
            stage = before.stage;
            effect = before.effect;
            change = before.change;
            hides = before.hides;
            before = null;
        }
    }

    /** Asks whether the job of the ban is done. */
    private void look(Door door) {
        Answer answer = requests.send(door, "GET", "/jobs?job_id=" + job, null);
        if (answer == null || answer.status() != 200) {
            return;
        }
        String state = answer.json().at("/state").asString();
        if (state.equals("done")) {
            stage = Stage.IN_FORCE;
            complete();
        } else if (!state.equals("waiting") && !state.equals("running")) {
            violations.add("the job of a ban of %s ended so: %s".formatted(user, answer));
            stage = Stage.IN_FORCE;
        }
    }

    /** The reactions are returned, hidden or removed; a late request may do it again. */
    private void complete() {
        if (change == null) {
            return;
        }
        histories.completed(change, !requests.isLate());
        change = requests.isLate() ? change : null;
        hides &= effect == Effect.HIDE || requests.isLate();
    }

    private void lift(Door door) {
        if (stage != Stage.LIFTING) {
            register.lifting();
            if (hides) {
                show = open(Kind.SHOW);
            }
        }
        Stage before = stage;
        stage = Stage.LIFTING;
        Answer answer = requests.send(door, "DELETE", target(), null);
        if (answer == null) {
            return;
        }
        if (answer.status() == 200 || answer.status() == 202) {
            register.lifted();
        }
        if (answer.status() == 200) {
            lifted();
        } else if (answer.status() == 503 && before != Stage.LIFTING) {
            register.liftingRefused();
            if (show != null) {
                histories.withdrawn(show);
                show = null;
            }
            stage = before;
        }
    }

    /** All hidden reactions are back, and no job hides or removes more. */
    private void lifted() {
        if (change != null) {
            histories.closed(change);
            change = null;
        }
        if (show != null) {
            histories.completed(show, true);
            show = null;
        }
        until = null;
        stage = Stage.NONE;
    }

    private String target() {
        var query =
                space == null
                        ? Map.of("user_id", user)
                        : Map.of("user_id", user, "namespace_id", space.id());
        return "/users/ban?" + Instance.encode(query);
    }
}
