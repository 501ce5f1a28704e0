package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Two clients page through the reactors of one entity, each through an instance and by a question
 * of its own, while others come, go, add and change reactions in between.
 */
class PagingApiTest extends ApiFixture {

    private static final int STAYING = 23;
    private static final int MOVING = 9;
    private static final String[] KINDS = {"a", "d", "e", "f"};

    private final String viewer = "viewer of " + entity;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nobodyWhoStayedIsMissedOrRepeated(long seed) {
        var random = new Random(seed);
        reactions(random);
        for (int i = 0; i < STAYING; i += 4) {
            var pair = Map.of("user_id", viewer, "friend_id", "staying" + i);
            assertOk(service.send("PUT", "/users/friends?" + Instance.encode(pair), null));
        }
        var clients = List.of(new Client(service, random), new Client(other, random));
        while (!clients.stream().allMatch(client -> client.done)) {
            clients.get(random.nextInt(2)).turn();
            for (int i = random.nextInt(4); i > 0; i--) {
                somethingHappens(random);
            }
        }

        List<String> staying = IntStream.range(0, STAYING).mapToObj(i -> "staying" + i).toList();
        for (Client client : clients) {
            assertThat(client.seen)
                    .as("seed %s, %s", seed, client.query)
                    .filteredOn(user -> user.startsWith("staying"))
                    .containsExactlyInAnyOrderElementsOf(staying);
        }
    }

    private void reactions(Random random) {
        for (int i = 0; i < STAYING; i++) {
            given("letters", "staying" + i, "a");
            if (i < MOVING && random.nextBoolean()) {
                given("letters", "moving" + i, KINDS[random.nextInt(KINDS.length)]);
            }
        }
    }

    /** Who stays may add a reaction; who moves does anything. */
    private void somethingHappens(Random random) {
        String kind = KINDS[random.nextInt(KINDS.length)];
        if (random.nextInt(3) == 0) {
            post("?if_exists=ok", "letters", "staying" + random.nextInt(STAYING), kind);
        } else if (random.nextBoolean()) {
            post("?if_exists=ok", "letters", "moving" + random.nextInt(MOVING), kind);
        } else {
            remove("letters", "moving" + random.nextInt(MOVING), kind);
        }
    }

    /** One who turns pages. */
    private final class Client {
        private final Lists list;
        private final Map<String, String> query = new LinkedHashMap<>();
        private final List<String> seen = new ArrayList<>();
        private boolean done;

        Client(Instance instance, Random random) {
            list = new Lists(instance, "/reactions/users", "users");
            query.put("namespace_id", "letters");
            query.put("entity_id", entity);
            query.put("order", random.nextBoolean() ? "newest" : "oldest");
            if (random.nextBoolean()) {
                query.put("viewer_id", viewer);
                query.put("friends", "first");
            }
            if (random.nextInt(3) == 0) {
                query.put("reaction_id", "a");
            }
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
