package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Two clients page through the reactors of one entity, each through an instance and with its own
 * query. Other users come, leave, add and change reactions, between the pages and during them.
 */
class PagingApiTest extends ApiFixture {

    private static final int STAYING = 23;
    private static final int MOVING = 9;
    private static final List<String> KINDS = List.of("a", "d", "e", "f");

    private final String viewer = "viewer of " + entity;
    private final AtomicBoolean turning = new AtomicBoolean(true);

    /** Both clients together send each possible query. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void pagesNeitherSkipNorRepeatAStableReactor(int seed) throws Exception {
        var random = new Random(seed);
        reactions(random);
        var clients = List.of(new Client(service, 2 * seed), new Client(other, 2 * seed + 1));
        clients.getFirst().turn();
        somethingHappens(random);
        clients.getLast().turn();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var meanwhile = threads.submit(() -> muchHappens(new Random(seed + 1)));
            try {
                while (!clients.stream().allMatch(client -> client.done)) {
                    clients.get(random.nextInt(2)).turn();
                    for (int i = random.nextInt(4); i > 0; i--) {
                        somethingHappens(random);
                    }
                }
            } finally {
                turning.set(false);
            }
            meanwhile.get();
        }

        for (Client client : clients) {
            assertThat(client.seen)
                    .as("seed %s, %s", seed, client.query)
                    .filteredOn(user -> user.startsWith("staying"))
                    .containsExactlyInAnyOrderElementsOf(client.staying());
        }
    }

    /** One in four users is a friend. */
    private void reactions(Random random) {
        for (int i = 0; i < STAYING; i++) {
            given("letters", "staying" + i, "a");
            befriend("staying" + i, i);
            if (i < MOVING && random.nextBoolean()) {
                given("letters", "moving" + i, any(random));
                befriend("moving" + i, i);
            }
        }
    }

    private void befriend(String user, int i) {
        if (i % 4 == 0) {
            var pair = Map.of("user_id", viewer, "friend_id", user);
            assertOk(service.send("PUT", "/users/friends?" + Instance.encode(pair), null));
        }
    }

    /** A staying user may add a reaction; a moving one may do anything. */
    private void somethingHappens(Random random) {
        if (random.nextInt(3) == 0) {
            post("?if_exists=ok", "letters", staying(random), any(random));
        } else if (random.nextBoolean()) {
            post("?if_exists=ok", "letters", moving(random), any(random));
        } else {
            remove("letters", moving(random), any(random));
        }
    }

    /**
     * A staying user may also remove a reaction that was added after both clients began; a moving
     * one may put.
     */
    private void muchHappens(Random random) {
        Map<String, String> added = new HashMap<>();
        while (turning.get()) {
            String user = staying(random);
            String kind = added.remove(user);
            if (kind != null) {
                remove("letters", user, kind);
            } else {
                kind = any(random);
                if (add("letters", user, kind).status() == 200) {
                    added.put(user, kind);
                }
            }
            put(moving(random), KINDS.stream().filter(_ -> random.nextBoolean()).toList());
        }
    }

    private void put(String user, List<String> reactions) {
        other.send("PUT", "/reactions", Instance.setBody("letters", entity, user, reactions));
    }

    private static String staying(Random random) {
        return "staying" + random.nextInt(STAYING);
    }

    private static String moving(Random random) {
        return "moving" + random.nextInt(MOVING);
    }

    private static String any(Random random) {
        return KINDS.get(random.nextInt(KINDS.size()));
    }

    /** A client that pages through the list. */
    private final class Client {
        private final Lists list;
        private final Map<String, String> query = new LinkedHashMap<>();
        private final List<String> seen = new ArrayList<>();
        private boolean done;

        /** Selects one of twelve queries. */
        Client(Instance instance, int number) {
            list = new Lists(instance, "/reactions/users", "users");
            query.put("namespace_id", "letters");
            query.put("entity_id", entity);
            query.put("order", number % 2 == 0 ? "newest" : "oldest");
            if (number / 2 % 2 == 0) {
                query.put("reaction_id", "a");
            }
            if (number / 4 > 0) {
                query.put("viewer_id", viewer);
                query.put("friends", number / 4 == 1 ? "first" : "only");
            }
        }

        /** Staying users of the query. */
        List<String> staying() {
            return IntStream.range(0, STAYING)
                    .filter(i -> i % 4 == 0 || !"only".equals(query.get("friends")))
                    .mapToObj(i -> "staying" + i)
                    .toList();
        }

        void turn() {
            if (done) {
                return;
            }
            query.put("limit", "" + (1 + seen.size() % 5));
            var answer = list.ask(query);
            list.items(answer).stream().map(this::user).forEach(seen::add);
            String next = Lists.cursor(answer);
            done = next == null;
            query.put("cursor", next);
        }

        private String user(JsonNode item) {
            return text(item, "user_id");
        }
    }
}
