package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;

@DisplayName("DELETE /users and DELETE /entities")
class ErasureApiTest extends ApiFixture {

    private final String ann = "ann " + TestRules.ODD + entity;
    private final String ben = "ben " + entity;

    @Test
    void aUsersReactionsGoAndThoseOfOthersStay() throws Exception {
        given("posts", ben, "👍");
        given("posts", ann, "👍", "❤️");
        JsonNode before = seen();

        Erasures.user(other, ann);

        assertThat(own("posts", ann)).isEmpty();
        JsonNode after = seen();
        assertThat(counts(after)).isEqualTo("👍 1");
        assertThat(text(after, "version")).isGreaterThan(text(before, "version"));
        assertThat(Rows.of("posts", entity)).containsExactly(ben + " 👍");
        assertThat(Rows.people("posts", entity)).isEqualTo(1);
        assertThat(own("posts", ben)).containsExactly("👍");
        assertThat(own(read(other, "posts", "user_id", ann).json())).isEmpty();
    }

    @Test
    void timesAfterAnErasureAreThoseOfTheRemainingReactions() {
        given("posts", ann, "👍");
        given("posts", ben, "👍");
        given("posts", "cat", "👍");
        given("posts", ann, "❤️");
        given("posts", ben, "❤️");
        JsonNode before = seen();
        Erasures.user(service, "cat");
        JsonNode since = seen();
        Erasures.user(service, ann);

        JsonNode after = seen().at("/reactions_count");
        assertThat(counts(seen())).isEqualTo("👍 1, ❤️ 1");
        assertThat(text(since.at("/reactions_count/0"), "first_reacted_at"))
                .isEqualTo(text(before.at("/reactions_count/0"), "first_reacted_at"));
        for (JsonNode each : after) {
            assertThat(text(each, "first_reacted_at")).isEqualTo(text(each, "last_reacted_at"));
        }
    }

    @Test
    void aCrowdLosesOne() {
        for (int i = 0; i < 2 * TwoInstances.CROWD; i++) {
            given("posts", ben + i, "👍");
        }
        given("posts", ann, "👍");

        Erasures.user(service, ann);

        assertThat(counts(seen())).isEqualTo("👍 " + 2 * TwoInstances.CROWD);
        assertThat(own("posts", ann)).isEmpty();
        assertThat(own("posts", ben + 7)).containsExactly("👍");
    }

    @Test
    void nameFriendsAndListsGoToo() {
        assertOk(service.send("PUT", ofUser("/users", ann), "{\"display_name\":\"Ann\"}"));
        for (String friend : List.of(ben, "a " + entity, "z " + entity)) {
            assertOk(service.send("PUT", pair(ann, friend), null));
        }
        assertOk(service.send("PUT", pair(ben, "z " + entity), null));
        given("letters", ann, "a");
        assertThat(other.get(ofUser("/exports", ann)).body()).endsWith("{\"count\":5}\n");

        Erasures.user(other, ann);

        assertThat(other.get(ofUser("/exports", ann)).body()).isEqualTo("{\"count\":0}\n");
        assertThat(service.get(ofUser("/users", ann)).json().has("display_name")).isFalse();
        assertThat(service.get(ofUser("/users/friends", ben)).json().at("/friends"))
                .hasSize(1)
                .first()
                .satisfies(friend -> assertThat(text(friend, "user_id")).isEqualTo("z " + entity));
        assertThat(service.get(ofUser("/users/reactions", ann)).json().at("/reactions")).isEmpty();
    }

    @Test
    void anAnswerToAnIdempotencyKeyIsForgotten() {
        String key = "key-" + entity;
        assertOk(add("posts", ann, "👍", "Idempotency-Key", key));
        assertOk(add("posts", ann, "👍", "Idempotency-Key", key));

        Erasures.user(service, ann);

        assertThat(own("posts", ann)).isEmpty();
        assertOk(add("posts", ann, "👍", "Idempotency-Key", key));
        assertThat(own("posts", ann)).containsExactly("👍");
    }

    @Test
    void anErasedUserReactsAgainAsANewUser() {
        given("posts", ann, "👍");
        Erasures.user(service, ann);
        given("posts", ann, "👍");

        assertThat(counts(seen())).isEqualTo("👍 1");
        assertOk(remove("posts", ann, "👍"));
        assertThat(counts(seen())).isEmpty();
    }

    @Test
    void anEntityLosesAllItsReactionsAndTakesNewOnes() throws Exception {
        given("posts", ann, "👍", "❤️");
        given("posts", ben, "👍");
        JsonNode before = seen();

        Erasures.entity(other, "posts", entity);

        JsonNode after = seen();
        assertThat(counts(after)).isEmpty();
        assertThat(text(after, "version")).isGreaterThan(text(before, "version"));
        assertThat(Rows.of("posts", entity)).isEmpty();
        assertThat(own("posts", ben)).isEmpty();
        given("posts", ben, "👍");
        assertThat(counts(seen())).isEqualTo("👍 1");
    }

    @Test
    void anErasureOfAbsentUsersOrEntitiesSucceeds() {
        Erasures.user(service, ann);
        Erasures.user(service, ann);
        Erasures.entity(service, "posts", entity);
        Erasures.entity(service, "nowhere", entity);

        assertThat(counts(seen())).isEmpty();
    }

    @Test
    void aSlowErasureIsAJobThatARepeatedRequestJoins() throws Exception {
        given("posts", ann, "👍");
        Answer first;
        try (var _ = HeldPartition.of(partition("posts"))) {
            first = service.send("DELETE", Erasures.ofUser(ann), null);
            Answer again = other.send("DELETE", Erasures.ofUser(ann), null);

            assertThat(header(first, "Cache-Control")).isEqualTo("no-store");
            assertThat(text(first.json(), "kind")).isEqualTo("erase-user");
            assertThat(Imports.id(again)).isEqualTo(Imports.id(first));
        }
        Erasures.awaitDone(service.port(), Imports.id(first));

        JsonNode job = Imports.job(other.port(), Imports.id(first));
        assertThat(job.at("/report/reactions").longValue()).isEqualTo(1);
        assertThat(job.toString()).doesNotContain(entity);
        assertThat(own("posts", ann)).isEmpty();
    }

    @Test
    void invalidParametersAreReportedByName() {
        assertViolations(service.send("DELETE", "/users", null), "user_id");
        assertViolations(service.send("DELETE", "/users?user_id=", null), "user_id");
        assertViolations(service.send("DELETE", "/entities", null), "namespace_id", "entity_id");
        assertViolations(
                service.send("DELETE", "/entities?namespace_id=a%20b&entity_id=%00", null),
                "namespace_id",
                "entity_id");
    }

    /** Reads with a viewer, because a read without one may be a little older. */
    private JsonNode seen() {
        return read(service, "posts", "user_id", "somebody", "details", "true").json();
    }

    private static String ofUser(String path, String user) {
        return path + "?" + Instance.encode(Map.of("user_id", user));
    }

    private static String pair(String user, String friend) {
        return "/users/friends?" + Instance.encode(Map.of("user_id", user, "friend_id", friend));
    }
}
