package dev.ovation.api;

import static dev.ovation.testing.Imports.HEADER;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code people} of {@code POST /reactions/query} and of {@code GET /reactions}. */
class PeopleApiTest extends ApiFixture {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** More users than those among whom friends are found in memory. */
    private static final int CROWD = 60;

    private final String ann = "ann-" + entity;
    private final String ben = "ben-" + entity;
    private final String cleo = "cleo-" + entity;
    private final String viewer = "viewer-" + entity;

    @Test
    void theTotalCountsUsersAndTheNewestAreShown() {
        given("letters", ann, "a", "d");
        given("letters", ben, "a");
        given("letters", cleo, "b");

        JsonNode people = people(Map.of("limit", 2));

        assertThat(people.get("total").longValue()).isEqualTo(3);
        assertThat(people.has("friends")).isFalse();
        assertThat(shown(people)).isEqualTo(cleo + " [b], " + ben + " [a]");
        assertThat(shown(people(Map.of("limit", 5)))).endsWith(ann + " [d, a]");
    }

    @Test
    void theTotalFollowsEachUserWhoComesAndGoes() {
        assertThat(total()).isZero();
        given("letters", ann, "a", "d");
        assertThat(total()).isEqualTo(1);
        given("letters", ben, "a");
        assertThat(total()).isEqualTo(2);
        assertOk(remove("letters", ann, "a"));
        assertThat(total()).isEqualTo(2);
        assertOk(remove("letters", ann, "d"));
        assertThat(total()).isEqualTo(1);
        assertThat(shown(people(Map.of("limit", 5)))).isEqualTo(ben + " [a]");

        Hot.evict("letters", entity);
        assertThat(total()).isEqualTo(1);
        Erasures.user(service, ben);
        assertThat(total()).isZero();
        assertThat(shown(people(Map.of("limit", 5)))).isEmpty();
    }

    @Test
    void friendsComeBeforeNewerOnes() {
        given("letters", ann, "a");
        given("letters", ben, "a");
        given("letters", cleo, "a");
        befriend(ann);

        JsonNode people = people(Map.of("limit", 2, "friends", "first"));

        assertThat(people.get("total").longValue()).isEqualTo(3);
        assertThat(people.get("friends").longValue()).isEqualTo(1);
        assertThat(shown(people)).isEqualTo(ann + " [a] friend, " + cleo + " [a]");
        assertThat(shown(people(Map.of("limit", 2, "friends", "only"))))
                .isEqualTo(ann + " [a] friend");
        befriend(ben);
        assertThat(shown(people(Map.of("limit", 2, "friends", "first"))))
                .isEqualTo(ben + " [a] friend, " + ann + " [a] friend");
    }

    @Test
    void friendsInACrowdAreFoundHoweverLongAgoTheyReacted() {
        var file = new StringBuilder(HEADER);
        for (int i = 0; i < CROWD; i++) {
            file.append("letters,%s,%s,%s,%d\n".formatted(entity, "u" + i, "abc".charAt(i % 3), i));
        }
        Imports.run(service, "kind=reactions", file.toString());
        befriend("u1");
        befriend("u3");
        befriend("nobody-" + entity);

        JsonNode people = people(Map.of("limit", 3, "friends", "first"));

        assertThat(people.get("total").longValue()).isEqualTo(CROWD);
        assertThat(people.get("friends").longValue()).isEqualTo(2);
        assertThat(shown(people)).isEqualTo("u3 [a] friend, u1 [b] friend, u59 [c]");
        JsonNode each =
                people(Map.of("limit", 2, "friends", "first", "per_reaction", true))
                        .get("reactions");
        assertThat(each.valueStream().map(PeopleApiTest::ofReaction))
                .containsExactly(
                        "a 20 of 1: u3 friend, u57",
                        "b 20 of 1: u1 friend, u58",
                        "c 20 of 0: u59, u56");
    }

    @Test
    void peopleAreShownForEachReaction() {
        given("letters", ann, "a", "d");
        given("letters", ben, "a");
        befriend(ann);

        JsonNode people = people(Map.of("limit", 5, "friends", "first", "per_reaction", true));

        assertThat(people.has("shown")).isFalse();
        assertThat(people.get("reactions").valueStream().map(PeopleApiTest::ofReaction))
                .containsExactly(
                        "a 2 of 1: %s friend, %s".formatted(ann, ben),
                        "d 1 of 1: %s friend".formatted(ann));
    }

    @Test
    void namesAndAvatarsAreShown() {
        String profile =
                "{\"display_name\":\"Ann\",\"avatar_url\":\"https://example.org/ann.png\"}";
        assertOk(service.send("PUT", "/users?user_id=" + ann, profile));
        given("letters", ann, "a");
        given("letters", ben, "a");

        JsonNode shown = people(Map.of("limit", 2)).get("shown");

        assertThat(text(shown.get(1), "display_name")).isEqualTo("Ann");
        assertThat(text(shown.get(1), "avatar_url")).isEqualTo("https://example.org/ann.png");
        assertThat(shown.get(0).has("display_name")).isFalse();
    }

    @Test
    void aSingleReadShowsTheSameAndIsKeptByNoSharedCache() {
        given("letters", ann, "a");
        given("letters", ben, "a");
        befriend(ann);

        Answer answer =
                read(service, "letters", "viewer_id", viewer, "people", "1", "friends", "first");

        assertThat(answer.json().get("people"))
                .isEqualTo(people(Map.of("limit", 1, "friends", "first")));
        assertThat(own(answer.json())).isEmpty();
        Answer anonymous = read(service, "letters", "people", "1");
        assertThat(shown(anonymous.json().get("people"))).isEqualTo(ben + " [a]");
        assertThat(header(anonymous, "Cache-Control")).isEqualTo("private, no-cache");
        assertThat(read(service, "letters").json().has("people")).isFalse();
    }

    @Test
    void anUnchangedEntityHasNoPeople() {
        given("letters", ann, "a");
        String version =
                text(
                        read(service, "letters", "viewer_id", viewer, "details", "true").json(),
                        "version");

        JsonNode screen =
                screen(Map.of("limit", 1), Map.of("entity_id", entity, "version", version));

        assertThat(screen.get("unchanged").booleanValue()).isTrue();
        assertThat(screen.has("people")).isFalse();
    }

    @Test
    void invalidFieldsAreReportedByName() {
        assertViolations(
                send(Map.of("limit", 6, "friends", "last"), viewer),
                "people.limit",
                "people.friends");
        assertViolations(
                send(Map.of("per_reaction", "yes"), viewer), "people.limit", "people.per_reaction");
        assertViolations(send(Map.of("limit", 1, "friends", "first"), null), "viewer_id");
        assertViolations(send(List.of(), viewer), "people");
        assertViolations(read(service, "letters", "people", "6"), "people");
        assertViolations(read(service, "letters", "people", "1", "friends", "only"), "viewer_id");
    }

    private void befriend(String user) {
        String pair = Instance.encode(Map.of("user_id", viewer, "friend_id", user));
        assertOk(service.send("PUT", "/users/friends?" + pair, null));
    }

    private long total() {
        return people(Map.of("limit", 0)).get("total").longValue();
    }

    /** The people of this test's entity, as the viewer sees them. */
    private JsonNode people(Map<String, Object> query) {
        return screen(query, Map.of("entity_id", entity)).get("people");
    }

    private JsonNode screen(Map<String, Object> query, Map<String, String> item) {
        Answer answer = send(query, viewer, item);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().get("entities").get(0);
    }

    private Answer send(Object people, String whose) {
        return send(people, whose, Map.of("entity_id", entity));
    }

    private Answer send(Object people, String whose, Map<String, String> item) {
        var body = new LinkedHashMap<String, Object>();
        body.put("namespace_id", "letters");
        body.put("viewer_id", whose);
        body.put("entities", List.of(item));
        body.put("people", people);
        return service.send("POST", "/reactions/query", JSON.writeValueAsString(body));
    }

    /** The people shown, as in {@code ann [b, a] friend, ben [a]}. */
    private static String shown(JsonNode people) {
        return people.get("shown")
                .valueStream()
                .map(
                        each ->
                                text(each, "user_id")
                                        + " "
                                        + texts(each.get("reactions"))
                                        + friend(each))
                .collect(Collectors.joining(", "));
    }

    /** The people of a reaction, as in {@code a 2 of 1: ann friend, ben}. */
    private static String ofReaction(JsonNode each) {
        return "%s %d of %d: %s"
                .formatted(
                        text(each, "reaction_id"),
                        each.get("total").longValue(),
                        each.get("friends").longValue(),
                        each.get("shown")
                                .valueStream()
                                .map(one -> text(one, "user_id") + friend(one))
                                .collect(Collectors.joining(", ")));
    }

    private static String friend(JsonNode person) {
        return person.has("friend") ? " friend" : "";
    }
}
