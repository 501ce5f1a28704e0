package dev.ovation.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Users scroll a topic: each looks at one entity after the other and sometimes reacts. Whoever
 * reacted must see the reaction at once: anything else is an error. Needs a running service; {@code
 * -DbaseUrl}, {@code -Dusers} (at the same time) and {@code -Dseconds} set it.
 */
public final class ScrollSimulation extends Simulation {

    private static final String BASE_URL = System.getProperty("baseUrl", "http://localhost:8080");
    private static final int USERS = Integer.getInteger("users", 20);
    private static final int SECONDS = Integer.getInteger("seconds", 20);
    private static final int ENTITIES = 300;
    private static final AtomicLong USER = new AtomicLong(System.nanoTime());

    private final HttpProtocolBuilder protocol =
            http.baseUrl(BASE_URL).shareConnections().disableCaching();

    private final ChainBuilder look =
            exec(
                    http("look")
                            .get("/reactions")
                            .queryParam("namespace_id", "posts")
                            .queryParam("entity_id", "#{entity}")
                            .queryParam("user_id", "#{user}")
                            .check(status().is(200)));

    private final ChainBuilder react =
            exec(http("react")
                            .post("/reactions?force=true&if_exists=ok")
                            .body(
                                    StringBody(
                                            """
                                                    {"namespace_id":"posts","entity_id":"#{entity}",\
                                                    "user_id":"#{user}","reaction_id":"👍"}"""))
                            .check(status().is(200)))
                    .exec(
                            http("see it")
                                    .get("/reactions")
                                    .queryParam("namespace_id", "posts")
                                    .queryParam("entity_id", "#{entity}")
                                    .queryParam("user_id", "#{user}")
                                    .check(status().is(200))
                                    .check(jsonPath("$.user_reactions.reactions[0]").is("👍")));

    private final ScenarioBuilder scroll =
            scenario("scroll")
                    .exec(session -> session.set("user", "user-" + USER.incrementAndGet()))
                    .exec(
                            repeat(30)
                                    .on(
                                            exec(session -> session.set("entity", entity()))
                                                    .exec(
                                                            randomSwitch()
                                                                    .on(
                                                                            percent(85).then(look),
                                                                            percent(15)
                                                                                    .then(react)))
                                                    .pause(Duration.ofMillis(100))));

    {
        setUp(scroll.injectClosed(constantConcurrentUsers(USERS).during(SECONDS)))
                .protocols(protocol)
                .maxDuration(Duration.ofSeconds(SECONDS + 30L))
                .assertions(global().failedRequests().count().is(0L));
    }

    /** Some entities are looked at far more often than others. */
    private static String entity() {
        double gaussian = ThreadLocalRandom.current().nextGaussian() * ENTITIES / 6;
        return "topic/" + Math.floorMod(Math.round(gaussian), ENTITIES);
    }
}
