package dev.ovation.chaos;

import dev.ovation.chaos.Histories.Concern;
import dev.ovation.chaos.Operation.Kind;
import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.chaos.Place.Space;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;

/**
 * Bans one user and lifts the ban again, request after request, through any door. A request without
 * an answer is repeated until it has one. As it may be executed once more at any later time, it is
 * the last one for the user: the ban stays, or the user is not banned again.
 */
final class Ban {

    /** The effect of a ban on reactions, its namespaces and its duration. */
    enum Manner {
        KEEP("keep", Space.TONES, null),
        KEEP_IN_ALL("keep", null, null),
        KEEP_FOR_A_WHILE("keep", Space.TONES, null),
        HIDE("hide", Space.TONES, Kind.HIDE),
        REMOVE("remove", Space.TONES, Kind.STRIP);

        private final String reactions;
        private final Space space;
        private final Kind change;

        Manner(String reactions, Space space, Kind change) {
            this.reactions = reactions;
            this.space = space;
            this.change = change;
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

    private static final Duration WHILE = Duration.ofSeconds(2);

    private final String user;
    private final Histories histories;
    private final Figures figures;
    private final Violations violations;
    private final BanRegister register;
    private Stage stage = Stage.NONE;
    private Manner manner;
    private Instant until;
    private Operation change;
    private Operation show;
    private String job;

    /** Whether a request may be executed at a later time. */
    private boolean late;

    Ban(String user, Histories histories, Figures figures, Violations violations) {
        this.user = user;
        this.histories = histories;
        this.figures = figures;
        this.violations = violations;
        this.register = histories.bans(user);
    }

    /** Whether no request and no job is open. */
    boolean isSettled() {
        return stage == Stage.NONE || stage == Stage.IN_FORCE;
    }

    /** Whether no request may be executed at a later time. */
    boolean isSure() {
        return !late;
    }

    /** Sends the next request, if there is one. */
    void act(Door door, Random random) {
        switch (stage) {
            case NONE -> {
                if (!late) {
                    begin(Manner.values()[random.nextInt(Manner.values().length)]);
                    ask(door);
                }
            }
            case ASKED -> ask(door);
            case CHANGING -> {
                if (!late && random.nextInt(20) == 0) {
                    lift(door);
                } else {
                    look(door);
                }
            }
            case IN_FORCE -> {
                if (!late) {
                    lift(door);
                }
            }
            case LIFTING -> lift(door);
        }
    }

    /** Sends the next request towards the end of all that is open. */
    void settle(Door door, Random random) {
        if (stage == Stage.CHANGING && !late) {
            lift(door);
        } else {
            act(door, random);
        }
    }

    private void begin(Manner next) {
        manner = next;
        until = next == Manner.KEEP_FOR_A_WHILE ? Instant.now().plus(WHILE) : Instant.MAX;
        register.asked(next.space, until);
        if (next.change != null) {
            change = open(next.change);
        }
        stage = Stage.ASKED;
    }

    private Operation open(Kind kind) {
        var moderation = Operation.moderation(kind, 0);
        histories.opened(moderation, Concern.of(user, manner.space));
        return moderation;
    }

    private void ask(Door door) {
        var body =
                until.equals(Instant.MAX)
                        ? Map.of("reactions", manner.reactions)
                        : Map.of("reactions", manner.reactions, "until", until.toString());
        Answer answer = send(door, "PUT", target(), JsonMapper.shared().writeValueAsString(body));
        if (answer == null) {
            return;
        }
        boolean isDone = answer.status() == 200;
        if (isDone || answer.status() == 202) {
            register.inForce();
            job = isDone ? null : answer.json().at("/job_id").asString();
            stage = isDone ? Stage.IN_FORCE : Stage.CHANGING;
            if (isDone && change != null) {
                complete();
            }
        } else if (!late) {
            register.refused();
            if (change != null) {
                histories.withdrawn(change);
                change = null;
            }
            stage = Stage.NONE;
        }
    }

    /** Asks whether the job of the ban is done. */
    private void look(Door door) {
        Answer answer = send(door, "GET", "/jobs?job_id=" + job, null);
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

    /** The reactions are hidden or removed; a late request may do it again. */
    private void complete() {
        histories.completed(change, !late);
        change = late ? change : null;
    }

    private void lift(Door door) {
        if (stage != Stage.LIFTING) {
            register.lifting();
            if (manner == Manner.HIDE) {
                show = open(Kind.SHOW);
            }
        }
        Stage before = stage;
        stage = Stage.LIFTING;
        Answer answer = send(door, "DELETE", target(), null);
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
        stage = Stage.NONE;
    }

    private String target() {
        var query =
                manner.space == null
                        ? Map.of("user_id", user)
                        : Map.of("user_id", user, "namespace_id", manner.space.id());
        return "/users/ban?" + Instance.encode(query);
    }

    /**
     * Returns an answer of success, or one that the request was refused; null for no answer that
     * says so.
     */
    private Answer send(Door door, String method, String path, String body) {
        Answer answer = null;
        try {
            answer = door.send(method, path, body);
            boolean isSuccess = answer.status() == 200 || answer.status() == 202;
            boolean isNoRead = method.equals("GET") && answer.status() == 503;
            Outcome outcome =
                    isSuccess
                            ? Outcome.OK
                            : isNoRead ? Outcome.UNAVAILABLE : Answers.outcome(answer);
            if (outcome == null) {
                violations.add(
                        "%s: %s %s was answered by %s".formatted(door, method, path, answer));
            }
            if (outcome != Outcome.OK && outcome != Outcome.UNAVAILABLE) {
                answer = null;
                late |= !method.equals("GET");
            }
        } catch (ConnectException | HttpConnectTimeoutException e) {
            answer = null; // nothing was sent
        } catch (IOException | JacksonException e) {
            answer = null;
            late |= !method.equals("GET");
        }
        String what = method.equals("PUT") ? "ban" : method.equals("GET") ? "job" : "lift";
        boolean isAnswered = answer != null && answer.status() != 503;
        figures.ended(door, false, what + (isAnswered ? "" : " unavailable"), isAnswered);
        return answer;
    }
}
