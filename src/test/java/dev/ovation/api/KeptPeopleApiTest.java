package dev.ovation.api;

import static dev.ovation.testing.Imports.HEADER;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * People and friends that the process keeps follow each kind of change; {@code AuditTest} has the
 * repair of an audit. The entity has more users than are kept; two of them, of long ago, are
 * friends of the viewer.
 */
class KeptPeopleApiTest extends ApiFixture {

    private static final int CROWD = 60;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String viewer = "viewer-" + entity;

    @BeforeEach
    void aCrowdIsKept() {
        var file = new StringBuilder(HEADER);
        for (int i = 0; i < CROWD; i++) {
            file.append(line(user(i), Character.toString("abc".charAt(i % 3)), i));
        }
        Imports.run(service, "kind=reactions", file.toString());
        befriend("PUT", user(1));
        befriend("PUT", user(3));
        for (int i = 0; i < 3; i++) { // from the second time on they are kept
            assertThat(people()).isEqualTo("60, 2 friends: 3 [a], 1 [b] | 59 [c], 58 [b], 57 [a]");
        }
    }

    @Test
    void aFriendTakesBack() {
        assertOk(remove("letters", user(3), "a"));
        assertThat(people()).isEqualTo("59, 1 friends: 1 [b] | 59 [c], 58 [b], 57 [a], 56 [c]");
    }

    @Test
    void aFriendAddsThroughTheOtherInstance() {
        String body = Instance.body("letters", entity, user(1), "d");
        assertOk(other.send("POST", "/reactions", body));
        assertThat(people()).isEqualTo("60, 2 friends: 1 [d, b], 3 [a] | 59 [c], 58 [b], 57 [a]");
    }

    @Test
    void anotherUserTakesBack() {
        assertOk(remove("letters", user(59), "c"));
        assertThat(people()).isEqualTo("59, 2 friends: 3 [a], 1 [b] | 58 [b], 57 [a], 56 [c]");
    }

    @Test
    void aFriendshipBeginsAndEnds() {
        befriend("PUT", user(2));
        assertThat(people()).isEqualTo("60, 3 friends: 3 [a], 2 [c], 1 [b] | 59 [c], 58 [b]");
        befriend("DELETE", user(3));
        assertThat(people()).isEqualTo("60, 2 friends: 2 [c], 1 [b] | 59 [c], 58 [b], 57 [a]");
        befriend("DELETE", user(2));
        befriend("DELETE", user(1));
        assertThat(people()).isEqualTo("60, 0 friends:  | 59 [c], 58 [b], 57 [a], 56 [c], 55 [b]");
    }

    @Test
    void aFriendshipBeginsThroughTheOtherInstance() {
        String pair = Instance.encode(Map.of("user_id", viewer, "friend_id", user(2)));
        assertOk(other.send("PUT", "/users/friends?" + pair, null));
        awaitPeople("60, 3 friends: 3 [a], 2 [c], 1 [b] | 59 [c], 58 [b]");
    }

    @Test
    void anImportAddsAndTakesBack() {
        befriend("PUT", "new-" + entity);
        assertThat(people()).startsWith("60, 2 friends");
        Imports.run(service, "kind=reactions", HEADER + line("new-" + entity, "a", 2));
        assertThat(people()).isEqualTo("61, 3 friends: 3 [a], new [a], 1 [b] | 59 [c], 58 [b]");
        Imports.run(
                service,
                "kind=reactions",
                "op,"
                        + HEADER
                        + "remove,"
                        + line(user(3), "a", 1000)
                        + "remove,"
                        + line(user(59), "c", 1000));
        assertThat(people()).isEqualTo("59, 2 friends: new [a], 1 [b] | 58 [b], 57 [a], 56 [c]");
    }

    @Test
    void aBanHidesAndItsEndReturns() {
        Answer ban = ban("{\"reactions\":\"hide\"}");
        awaitPeople("59, 1 friends: 1 [b] | 59 [c], 58 [b], 57 [a], 56 [c]");
        assertThat(ban.status()).isEqualTo(202);
        Erasures.done(service.port(), service.send("DELETE", banned(), null));
        assertThat(people()).isEqualTo("60, 2 friends: 3 [a], 1 [b] | 59 [c], 58 [b], 57 [a]");
    }

    @Test
    void aBanRemoves() {
        assertThat(ban("{\"reactions\":\"remove\"}").status()).isEqualTo(202);
        awaitPeople("59, 1 friends: 1 [b] | 59 [c], 58 [b], 57 [a], 56 [c]");
    }

    @Test
    void oneReactionIsTakenOff() {
        String target = "/reactions/all?namespace_id=letters&reaction_id=a&entity_id=" + entity;
        Erasures.done(service.port(), service.send("DELETE", target, null));
        assertThat(people()).isEqualTo("40, 1 friends: 1 [b] | 59 [c], 58 [b], 56 [c], 55 [b]");
    }

    @Test
    void usersAreErased() {
        Erasures.user(service, user(3));
        Erasures.user(service, user(59));
        assertThat(people()).isEqualTo("58, 1 friends: 1 [b] | 58 [b], 57 [a], 56 [c], 55 [b]");
    }

    @Test
    void theEntityIsErased() {
        Erasures.entity(service, "letters", entity);
        assertThat(people()).isEqualTo("0, 0 friends:  | ");
        given("letters", user(1), "d");
        assertThat(people()).isEqualTo("1, 1 friends: 1 [d] | ");
    }

    @Test
    void peopleOfEachReactionFollow() {
        assertThat(perReaction())
                .isEqualTo("a 1: 3 57 54 51 48; b 1: 1 58 55 52 49; c 0: 59 56 53 50 47");
        assertOk(remove("letters", user(3), "a"));
        assertOk(remove("letters", user(59), "c"));
        assertThat(perReaction())
                .isEqualTo("b 1: 1 58 55 52 49; a 0: 57 54 51 48 45; c 0: 56 53 50 47 44");
    }

    private String perReaction() {
        Map<String, Object> body =
                Map.of(
                        "namespace_id",
                        "letters",
                        "viewer_id",
                        viewer,
                        "entities",
                        List.of(Map.of("entity_id", entity)),
                        "people",
                        Map.of("limit", 5, "friends", "first", "per_reaction", true));
        Answer answer = service.send("POST", "/reactions/query", JSON.writeValueAsString(body));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json()
                .at("/entities/0/people/reactions")
                .valueStream()
                .map(
                        each ->
                                "%s %s: %s"
                                        .formatted(
                                                text(each, "reaction_id"),
                                                each.get("friends").longValue(),
                                                each.get("shown")
                                                        .valueStream()
                                                        .map(this::number)
                                                        .collect(Collectors.joining(" "))))
                .collect(Collectors.joining("; "));
    }

    /** All ids of friends stay in Postgres. */
    @Test
    void veryManyFriends() {
        var file = new StringBuilder("user_id,friend_id\n");
        for (int i = 0; i <= 1000; i++) {
            file.append(viewer).append(",many-").append(i).append('-').append(entity).append('\n');
        }
        Imports.run(service, "kind=friends", file.toString());

        assertThat(people()).isEqualTo("60, 2 friends: 3 [a], 1 [b] | 59 [c], 58 [b], 57 [a]");
        befriend("PUT", user(2));
        befriend("PUT", user(58));
        assertThat(people()).isEqualTo("60, 4 friends: 58 [b], 3 [a], 2 [c], 1 [b] | 59 [c]");
    }

    /** A new epoch gives each entity a new state. */
    @Test
    void redisIsEmptied() {
        TwoInstances.redis().flushall();
        TwoInstances.allAnew();
        befriend("DELETE", user(1));
        assertThat(people()).isEqualTo("60, 1 friends: 3 [a] | 59 [c], 58 [b], 57 [a], 56 [c]");
        assertOk(remove("letters", user(3), "a"));
        assertThat(people()).isEqualTo("59, 0 friends:  | 59 [c], 58 [b], 57 [a], 56 [c], 55 [b]");
    }

    @Test
    void aNewNameIsShown() {
        assertThat(shown().get(0).has("display_name")).isFalse();
        String name = "{\"display_name\":\"Three\"}";
        assertOk(service.send("PUT", "/users?user_id=" + user(3), name));
        assertThat(text(shown().get(0), "display_name")).isEqualTo("Three");
    }

    private String user(int number) {
        return number + "-" + entity;
    }

    private String line(String user, String reaction, int at) {
        return "letters,%s,%s,%s,%d\n".formatted(entity, user, reaction, at);
    }

    private void befriend(String method, String user) {
        String pair = Instance.encode(Map.of("user_id", viewer, "friend_id", user));
        assertOk(service.send(method, "/users/friends?" + pair, null));
    }

    private Answer ban(String body) {
        return service.send("PUT", banned(), body, "Content-Type", "application/json");
    }

    private String banned() {
        return "/users/ban?user_id=" + user(3);
    }

    private void awaitPeople(String expected) {
        Wait.until("the people follow", this::people, expected::equals);
    }

    /** The people as in {@code 60, 1 friends: 3 [a] | 59 [c], 58 [b]}: friends, then others. */
    private String people() {
        JsonNode people = read().get("people");
        return "%d, %d friends: %s | %s"
                .formatted(
                        people.get("total").longValue(),
                        people.get("friends").longValue(),
                        shown(people, true),
                        shown(people, false));
    }

    private String shown(JsonNode people, boolean friends) {
        return people.get("shown")
                .valueStream()
                .filter(each -> each.has("friend") == friends)
                .map(each -> number(each) + " " + texts(each.get("reactions")))
                .collect(Collectors.joining(", "));
    }

    private String number(JsonNode person) {
        return text(person, "user_id").replace("-" + entity, "");
    }

    private JsonNode shown() {
        return read().at("/people/shown");
    }

    private JsonNode read() {
        String[] query = {"viewer_id", viewer, "people", "5", "friends", "first"};
        Answer answer = read(service, "letters", query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }
}
