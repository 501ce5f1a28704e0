package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Many concurrent users, which add, force-add, remove and read through all instances in turn. Each
 * user checks every answer against its own history, because no other client writes for it.
 */
public final class Crowd {

    private final List<Instance> instances;
    private final List<String> entities;
    private final long seed;
    private final Set<Object> underWay = ConcurrentHashMap.newKeySet();

    public Crowd(long seed, List<Instance> instances, List<String> entities) {
        this.seed = seed;
        this.instances = instances;
        this.entities = entities;
    }

    /**
     * One user, and its reactions on each entity by its own history; keys are "namespace/entity".
     */
    public final class User {
        public final String name;
        public final Map<String, Set<String>> own = new TreeMap<>();
        private final Random random;
        private int keys;

        private User(int number) {
            this.name = "user-" + number;
            this.random = new Random(seed * 31 + number);
        }

        private void act() {
            String entity = entities.get(random.nextInt(entities.size()));
            String namespace = random.nextInt(4) == 0 ? Stage.NOTES : Stage.POSTS;
            var has = own.computeIfAbsent(namespace + '/' + entity, _ -> new LinkedHashSet<>());
            String reaction = Stage.REACTIONS.get(random.nextInt(Stage.REACTIONS.size()));
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> add(namespace, entity, reaction, has);
                case 4, 5 -> forceAdd(namespace, entity, reaction, has);
                case 6, 7, 8 -> remove(namespace, entity, reaction, has);
                default -> read(namespace, entity, has);
            }
        }

        private void add(String namespace, String entity, String reaction, Set<String> has) {
            var answer = write("POST", "/reactions", namespace, entity, reaction);
            if (has.contains(reaction)) {
                assertThat(code(answer)).isEqualTo("reaction-already-exists");
            } else if (has.contains(rival(namespace, reaction))) {
                assertThat(code(answer)).isEqualTo("conflicting-reaction");
            } else {
                took(answer, reaction, has);
            }
        }

        private void forceAdd(String namespace, String entity, String reaction, Set<String> has) {
            String path = "/reactions?force=true&if_exists=ok";
            var answer = write("POST", path, namespace, entity, reaction);
            if (has.contains(reaction)) {
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            } else if (took(answer, reaction, has)) {
                has.remove(rival(namespace, reaction));
            }
        }

        private void remove(String namespace, String entity, String reaction, Set<String> has) {
            var answer = write("DELETE", "/reactions", namespace, entity, reaction);
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            has.remove(reaction);
        }

        private void read(String namespace, String entity, Set<String> has) {
            var answer = any().read(namespace, entity, name);
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.json().at("/user_reactions/reactions").valueStream())
                    .extracting(node -> node.asString())
                    .containsExactlyInAnyOrderElementsOf(has);
        }

        /** Other users may have used up the distinct reactions of an entity. */
        private boolean took(Answer answer, String reaction, Set<String> has) {
            if (answer.status() == 403) {
                assertThat(code(answer)).isEqualTo("max-uniq-reactions");
                return false;
            }
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            has.add(reaction);
            return true;
        }

        /** One in four writes has a key; an applied write is sent again with its key. */
        private Answer write(
                String method, String path, String namespace, String entity, String reaction) {
            String body = Instance.body(namespace, entity, name, reaction);
            if (random.nextInt(4) > 0) {
                return any().send(method, path, body);
            }
            String key = name + '-' + keys++;
            var answer = any().send(method, path, body, "Idempotency-Key", key);
            if (answer.status() == 200) {
                var again = any().send(method, path, body, "Idempotency-Key", key);
                assertThat(again.body()).isEqualTo(answer.body());
            }
            return answer;
        }

        private List<Instance> instances() {
            return instances;
        }

        private Instance any() {
            return instances.get(random.nextInt(instances.size()));
        }
    }

    /** Runs this many users with this many actions each, and returns the users. */
    public List<User> run(int users, int actions) throws Exception {
        return run(users, actions, _ -> {});
    }

    /**
     * Runs users; each calls {@code before} with the number of each action, and the call may block.
     */
    List<User> run(int users, int actions, IntConsumer before) throws Exception {
        var crowd = new ArrayList<User>();
        var running = new ArrayList<Future<?>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < users; i++) {
                var user = new User(i);
                crowd.add(user);
                running.add(
                        threads.submit(
                                () -> {
                                    for (int n = 0; n < actions; n++) {
                                        before.accept(n);
                                        var action = new Object();
                                        underWay.add(action);
                                        try {
                                            user.act();
                                        } finally {
                                            underWay.remove(action);
                                        }
                                    }
                                }));
            }
        }
        for (var one : running) {
            one.get();
        }
        return crowd;
    }

    /**
     * Waits until each action in flight has ended. A write that was rejected four times is refused.
     * A test that waits so between two replacements of states rejects no write more than twice.
     */
    void awaitActions() {
        var these = Set.copyOf(underWay);
        Wait.until("these actions have ended", () -> Collections.disjoint(these, underWay));
    }

    /** Asserts that Postgres holds exactly the reactions of the users. */
    public static void assertStored(Stage stage, List<User> users) {
        var expected = new ArrayList<String>();
        for (var user : users) {
            user.own.forEach(
                    (place, has) ->
                            has.forEach(
                                    reaction ->
                                            expected.add(
                                                    "%s %s %s"
                                                            .formatted(
                                                                    place,
                                                                    user.name,
                                                                    reaction.replace(
                                                                            "\ufe0f", "")))));
        }
        assertThat(
                        stage.rows(
                                """
                                select namespace || '/' || entity, user_id, reaction
                                from   named_reaction
                                """))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Asserts that every instance shows each user exactly their own reactions. */
    public static void assertShown(List<User> users) {
        for (var user : users) {
            user.own.forEach(
                    (place, has) -> {
                        String[] parts = place.split("/", 2);
                        user.instances()
                                .forEach(
                                        instance ->
                                                assertThat(
                                                                Stage.own(
                                                                        instance.read(
                                                                                parts[0], parts[1],
                                                                                user.name)))
                                                        .containsExactlyInAnyOrderElementsOf(has));
                    });
        }
    }

    public static String code(Answer answer) {
        return answer.status() < 400 ? answer.body() : answer.json().at("/code").asString();
    }

    private static String rival(String namespace, String reaction) {
        return switch (namespace.equals(Stage.POSTS) ? reaction : "") {
            case "👍" -> "👎";
            case "👎" -> "👍";
            default -> "";
        };
    }
}
