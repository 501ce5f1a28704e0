package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;

import java.util.Map;

/** Erasures through HTTP, which wait for their end. */
public final class Erasures {

    private Erasures() {}

    public static void user(Instance service, String user) {
        done(service.port(), service.send("DELETE", ofUser(user), null));
    }

    public static void entity(Instance service, String namespace, String entity) {
        done(service.port(), service.send("DELETE", ofEntity(namespace, entity), null));
    }

    public static String ofUser(String user) {
        return "/users?" + Instance.encode(Map.of("user_id", user));
    }

    public static String ofEntity(String namespace, String entity) {
        return "/entities?"
                + Instance.encode(Map.of("namespace_id", namespace, "entity_id", entity));
    }

    /** Waits until the job of an answer succeeds. */
    public static void done(int port, Answer answer) {
        if (answer.status() == 202) {
            awaitDone(port, Imports.id(answer));
        } else {
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        }
    }

    /** Waits until a job succeeds. */
    public static void awaitDone(int port, String job) {
        Wait.until(
                "job " + job + " ends",
                Imports.BOUND,
                () -> Imports.job(port, job).has("finished_at"));
        assertThat(Imports.job(port, job).at("/state").stringValue()).isEqualTo("done");
    }
}
