package dev.ovation.simulation.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.simulation.Config;
import dev.ovation.simulation.Config.Weights;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

class AppTest {

    private static final Namespace NAMESPACE =
            new Namespace(
                    "n", List.of("a", "b"), Set.of(), 2, List.of(List.of("a", "b")), false, false);
    private static final Weights NOTHING = new Weights(0, 0, 0, 0, 0);
    private static final Weights ALL = new Weights(10, 50, 20, 10, 10);

    @Test
    void aUserStartsWithTheFirstScreenOfATopic() {
        var app = app(NOTHING, 1, 5, false);

        assertThat(paths(app.logIn()))
                .containsExactly(
                        "/reactions?namespace_id=n&entity_id=topic_0_0%2F0&user_id=user_000001",
                        "/reactions?namespace_id=n&entity_id=topic_0_0%2F1&user_id=user_000001",
                        "/reactions?namespace_id=n&entity_id=topic_0_0%2F2&user_id=user_000001");
    }

    @Test
    void aScreenMayBeReadByOneRequest() {
        var call = app(NOTHING, 1, 5, true).logIn().getFirst();

        assertThat(call.path()).isEqualTo("/reactions/query");
        assertThat(call.body())
                .isEqualTo(
                        """
                        {"namespace_id":"n","viewer_id":"user_000001",\
                        "entities":["topic_0_0/0","topic_0_0/1","topic_0_0/2"]}""");
    }

    @Test
    void scrollingGoesScreenByScreenToTheEndThenItsWeightIsSwitching() {
        var app = app(new Weights(0, 1, 0, 0, 0), 1, 7, true);
        app.logIn();
        var seen = new ArrayList<List<String>>();
        for (int turn = 1; turn <= 3; turn++) {
            app.turn();
            seen.add(app.visible().stream().map(Entity::id).toList());
        }

        assertThat(seen)
                .containsExactly(
                        List.of("topic_0_0/3", "topic_0_0/4", "topic_0_0/5"),
                        List.of("topic_0_0/4", "topic_0_0/5", "topic_0_0/6"),
                        List.of("topic_0_0/0", "topic_0_0/1", "topic_0_0/2"));
    }

    @Test
    void visibleEntitiesAreRefreshedEveryThirdTurn() {
        var app = app(NOTHING, 1, 5, false);
        app.logIn();

        var sizes = Stream.generate(() -> app.turn().size()).limit(7).toList();

        assertThat(sizes).containsExactly(0, 0, 3, 0, 0, 3, 0);
    }

    @Test
    void reactingGoesOnlyToWhereItIsPossible() {
        var app = app(new Weights(0, 0, 0, 1, 0), 1, 5, false);
        app.logIn();
        assertThat(app.turn()).isEmpty();

        app.visible().get(1).added("b");

        assertThat(app.turn().getFirst().body())
                .contains("topic_0_0/1", "\"reaction_id\":\"b\"", "user_000001");
    }

    @Test
    void theAppForcesAdditionsOfReactionsNotYetGiven() {
        var app = app(new Weights(0, 0, 1, 0, 0), 1, 3, false);
        app.logIn();
        app.visible().forEach(entity -> entity.added("a"));

        var call = app.turn().getFirst();

        assertThat(call.path()).isEqualTo("/reactions?force=true");
        assertThat(call.body()).contains("\"reaction_id\":\"b\"");
    }

    @Test
    void aQuittingUserIsReplacedByANewOneWithoutReactions() {
        var app = app(new Weights(0, 0, 0, 0, 1), 1, 5, false);
        app.logIn();
        app.visible().getFirst().added("a");

        assertThat(paths(app.turn()).getFirst()).endsWith("user_id=user_000003");
        assertThat(app.visible().getFirst().own()).isEmpty();
    }

    @Test
    void theSameSeedAndAnswersMakeTheSameRequests() {
        assertThat(hundredTurns(7)).isEqualTo(hundredTurns(7)).isNotEqualTo(hundredTurns(8));
    }

    private static List<String> hundredTurns(long seed) {
        var app = new App(config(ALL, 5, 30, seed), topics(5, 30), false, 0);
        var made = new ArrayList<String>();
        var calls = app.logIn();
        for (int turn = 0; turn < 100; turn++) {
            for (var call : calls) {
                made.add(call.path() + call.body());
                if (call.operation() != Operation.GET) {
                    call.answered(200, "{\"status\":\"ok\"}");
                }
            }
            calls = app.turn();
        }
        return made;
    }

    private static List<String> paths(List<Call> calls) {
        return calls.stream().map(Call::path).toList();
    }

    private static App app(Weights weights, int topics, int size, boolean screens) {
        return new App(config(weights, topics, size, 1), topics(topics, size), screens, 0);
    }

    private static List<Topic> topics(int count, int size) {
        return Topic.of(config(NOTHING, count, size, 1), _ -> NAMESPACE);
    }

    /** A configuration of two users, three visible entities, and a refresh every three turns. */
    private static Config config(Weights weights, int topics, int size, long seed) {
        return new Config(
                "test",
                seed,
                new Config.Turns(10, Duration.ofMillis(10)),
                new Config.Users(2, Duration.ZERO, "user_%06d", 3, 3, weights),
                List.of(new Config.Topics(topics, "n", size, false, 0)),
                Optional.empty());
    }
}
