package dev.ovation.chaos;

import dev.ovation.chaos.Operation.Outcome;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.core.JacksonException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;

/** Requests about the bans of one user, one after the other. */
final class BanRequests {

    private final Figures figures;
    private final Violations violations;
    private boolean late;

    BanRequests(Figures figures, Violations violations) {
        this.figures = figures;
        this.violations = violations;
    }

    /** Whether a request may be executed at a later time. */
    boolean isLate() {
        return late;
    }

    /**
     * Returns an answer of success, or one that the request was refused; null for no answer that
     * says so.
     */
    Answer send(Door door, String method, String path, String body) {
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
