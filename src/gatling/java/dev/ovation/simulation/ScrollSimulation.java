package dev.ovation.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doSwitch;
import static io.gatling.javaapi.core.CoreDsl.dummy;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.onCase;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.stopLoadGeneratorIf;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.httpConcurrentRequests;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.ovation.simulation.app.App;
import dev.ovation.simulation.app.Call;
import dev.ovation.simulation.app.Topic;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Users scroll topics and react, turn by turn, as a file defines; {@link Options} are the settings.
 * The run fails on any error: a 5xx or a missing answer after the warm-up, or at any time an answer
 * that contradicts an earlier one. It also fails if users fall behind, unless strategies are
 * compared.
 */
public final class ScrollSimulation extends Simulation {

    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);
    private static final String TOO_LATE = "users are too many turns late";
    private static final String VERDICT = "the run passes";
    private static final String APP = "app";
    private static final String CALLS = "calls";
    private static final String TURN = "turn";
    private static final String LOGIN = "login";

    private final Options options = Options.of(System.getProperties());
    private final Config config = options.config();
    private final int turns = options.warmUp() + config.turns().count();
    private final Target target = Target.choose(options);
    private final List<Topic> topics = Topic.of(config, target::namespace);
    private final Pace pace =
            new Pace(
                    config.turns().minDuration(),
                    config.users().count(),
                    turns,
                    options.warmUp(),
                    options.maxLag(),
                    System::nanoTime);
    private final Measurements measurements = new Measurements();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();

    {
        var users =
                scenario("users scroll")
                        .exec(this::begin)
                        .pause(ScrollSimulation::login)
                        .exec(session -> session.set(CALLS, app(session).logIn()))
                        .exec(requests())
                        .exec(session -> session.set(TURN, pace.turnAfter(login(session)) - 1))
                        .exec(
                                asLongAs(session -> turn(session) < turns - 1, "loop", false)
                                        .on(turn()))
                        .exec(this::end);
        var watcher =
                scenario("pace is watched")
                        .asLongAs(_ -> finished.get() < config.users().count() && !behind())
                        .on(pause(config.turns().minDuration()))
                        .exec(dummy(VERDICT, 0).withSuccess(_ -> passes()))
                        .exec(stopLoadGeneratorIf(TOO_LATE, _ -> pace.behind()));
        setUp(
                        users.injectOpen(atOnceUsers(config.users().count())),
                        watcher.injectOpen(atOnceUsers(1)))
                .protocols(protocol())
                .maxDuration(pace.longest().plus(REQUEST_TIMEOUT))
                .assertions(details(VERDICT).failedRequests().count().is(0L));
    }

    private HttpProtocolBuilder protocol() {
        var protocol =
                http.baseUrl(target.uri().toString())
                        .shareConnections()
                        .maxConnectionsPerHost(2 * config.users().visibleEntities() + 1)
                        .disableWarmUp()
                        .disableCaching();
        var known =
                options.access()
                        .authorization()
                        .map(value -> protocol.authorizationHeader(value))
                        .orElse(protocol);
        return options.keepAlive() ? known : known.connectionHeader("close");
    }

    private Session begin(Session session) {
        pace.begin();
        var app = new App(config, topics, options.screens(), begun.getAndIncrement());
        return session.set(APP, app).set(LOGIN, app.logsInAfter(pace.login()));
    }

    private Session end(Session session) {
        pace.arrive(turns, Duration.ZERO);
        finished.incrementAndGet();
        return session;
    }

    private ChainBuilder turn() {
        return exec(session -> session.set(TURN, pace.after(turn(session))))
                .pause(session -> pace.arrive(turn(session), app(session).hesitation()))
                .exec(session -> session.set(CALLS, app(session).turn()))
                .exec(requests());
    }

    /**
     * Fails by a failed request, the only one of Gatling's ways that leaves its report complete.
     */
    private boolean passes() {
        boolean inTime = options.strategy().isPresent() || !pace.behind();
        return inTime && measurements.errors() == 0;
    }

    private boolean behind() {
        pace.look();
        return pace.behind();
    }

    /** All requests of a turn at the same time; an app never has more in flight. */
    private ChainBuilder requests() {
        int screen = options.screens() ? 1 : config.users().visibleEntities();
        var sizes = Stream.of(1, screen, screen + 1, 2 * screen).distinct();
        return doSwitch(session -> calls(session).size())
                .on(sizes.map(size -> onCase(size).then(together(size))).toList())
                .exec(this::settle);
    }

    private ChainBuilder together(int size) {
        return exec(
                httpConcurrentRequests(IntStream.range(0, size).mapToObj(this::request).toList()));
    }

    private HttpRequestActionBuilder request(int place) {
        return http(session -> name(session, place))
                .httpRequest(
                        session -> call(session, place).operation().method(),
                        session -> {
                            call(session, place).start();
                            return call(session, place).path();
                        })
                .requestTimeout(REQUEST_TIMEOUT)
                .body(StringBody(session -> call(session, place).body()))
                .transformResponse(
                        (response, session) -> {
                            call(session, place)
                                    .answered(response.status().code(), response.body().string());
                            return response;
                        })
                .check(
                        status().transformWithSession(
                                        (_, session) ->
                                                call(session, place).verdict().isError()
                                                        ? call(session, place).verdict().detail()
                                                        : "right")
                                .is("right"));
    }

    private String name(Session session, int place) {
        String name = call(session, place).operation().name();
        return pace.measures(turn(session)) ? name : name + " (warm-up)";
    }

    private Session settle(Session session) {
        for (var call : calls(session)) {
            call.settle();
            measurements.record(call, pace.measures(turn(session)));
        }
        return session.markAsSucceeded();
    }

    /** The turn, or -1 while the user logs in. */
    private static int turn(Session session) {
        return session.contains(TURN) ? session.getInt(TURN) : -1;
    }

    private static Duration login(Session session) {
        return session.get(LOGIN);
    }

    private static App app(Session session) {
        return session.get(APP);
    }

    private static List<Call> calls(Session session) {
        return session.get(CALLS);
    }

    private static Call call(Session session, int place) {
        return calls(session).get(place);
    }

    /** Prints the table, writes the JSON, and stops the started server. */
    @Override
    public void after() {
        boolean all = finished.get() == config.users().count();
        var report = new Report(options, target.name(), measurements, pace, all);
        IO.println(report.table());
        try {
            var file = options.result().toAbsolutePath();
            Files.createDirectories(file.getParent());
            Files.writeString(file, report.json());
            IO.println("the same as JSON: " + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            target.close();
        }
        if (!all && !pace.behind() && options.strategy().isEmpty()) {
            throw new IllegalStateException("users did not complete their turns");
        }
    }
}
