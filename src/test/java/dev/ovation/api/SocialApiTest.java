package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code /users} and {@code /users/friends}. */
class SocialApiTest extends ApiFixture {

    private final String ann = "ann " + TestRules.ODD + entity;
    private final String ben = "ben " + entity;
    private final Lists friends = new Lists(other, "/users/friends", "friends");

    @Test
    void aNameIsGivenChangedAndTakenAway() {
        assertThat(user(ann).json().has("display_name")).isFalse();
        assertOk(name(ann, "{\"display_name\":\"Ann\"}"));
        assertThat(text(user(ann).json(), "display_name")).isEqualTo("Ann");
        assertThat(text(user(ann).json(), "user_id")).isEqualTo(ann);
        assertOk(name(ann, "{\"display_name\":\"Ann 👩‍💻\"}"));
        assertThat(text(user(ann).json(), "display_name")).isEqualTo("Ann 👩‍💻");
        assertOk(name(ann, "{\"display_name\":null}"));
        assertThat(user(ann).json().has("display_name")).isFalse();
    }

    @Test
    void anAvatarIsGivenAndTakenAway() {
        assertOk(name(ann, "{\"avatar_url\":\"https://example.org/a.png?s=1#x\"}"));
        assertThat(text(user(ann).json(), "avatar_url"))
                .isEqualTo("https://example.org/a.png?s=1#x");
        assertThat(user(ann).json().has("display_name")).isFalse();

        assertOk(name(ann, "{\"display_name\":\"Ann\"}"));
        assertThat(user(ann).json().has("avatar_url")).isFalse();
        assertThat(text(user(ann).json(), "display_name")).isEqualTo("Ann");
    }

    @Test
    void manyUsersComeInTheOrderAsked() {
        assertOk(name(ann, "{\"display_name\":\"Ann\"}"));
        assertOk(name(ben, "{\"avatar_url\":\"https://example.org/ben.png\"}"));

        JsonNode users = users(List.of(ben, "nobody " + entity, ann, ben)).json().get("users");

        assertThat(users.valueStream().map(each -> text(each, "user_id")))
                .containsExactly(ben, "nobody " + entity, ann, ben);
        assertThat(users.get(0)).isEqualTo(user(ben).json()).isEqualTo(users.get(3));
        assertThat(users.get(1).size()).isEqualTo(1);
        assertThat(text(users.get(2), "display_name")).isEqualTo("Ann");
        assertThat(users(List.of()).json().get("users")).isEmpty();
    }

    @Test
    void upTo200UsersAreRead() {
        assertThat(users(Collections.nCopies(200, ann)).json().get("users")).hasSize(200);
        assertViolations(users(Collections.nCopies(201, ann)), "user_ids");
        assertViolations(users(List.of("", ann)), "user_ids[0]");
        assertViolations(service.send("POST", "/users/query", "{\"user_ids\":[7]}"), "user_ids[0]");
        assertViolations(service.send("POST", "/users/query", "{}"), "user_ids");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.org/a.png",
                "https:///a.png",
                "https://ann@example.org/a.png",
                "//example.org/a.png",
                "javascript:alert(1)",
                "https://example.org/a b",
                ""
            })
    void anAvatarIsAnHttpsUrlWithAHost(String url) {
        assertViolations(name(ann, "{\"avatar_url\":\"" + url + "\"}"), "avatar_url");
    }

    private Answer users(List<String> ids) {
        String body = JsonMapper.shared().writeValueAsString(Map.of("user_ids", ids));
        return other.send("POST", "/users/query", body);
    }

    @Test
    void aFriendshipIsMutual() {
        assertOk(befriend(ann, ben));

        assertThat(of(ann)).containsExactly(ben);
        assertThat(of(ben)).containsExactly(ann);
    }

    @Test
    void addingAndRemovingAFriendAreIdempotent() {
        assertOk(befriend(ann, ben));
        assertOk(befriend(ben, ann));
        assertThat(of(ann)).containsExactly(ben);
        assertOk(unfriend(ben, ann));
        assertOk(unfriend(ann, ben));

        assertThat(of(ann)).isEmpty();
        assertThat(of(ben)).isEmpty();
    }

    @Test
    void friendsAreListedByIdWithTheirNames() {
        for (int i : new int[] {3, 1, 4, 0, 2}) {
            assertOk(befriend(ann, ben + i));
        }
        assertOk(name(ben + 3, "{\"display_name\":\"Third\"}"));
        List<String> expected = IntStream.range(0, 5).mapToObj(i -> ben + i).toList();

        assertThat(of(ann)).isEqualTo(expected);
        assertThat(
                        friends.all("user_id", ann, "limit", "2").stream()
                                .map(each -> text(each, "user_id")))
                .containsExactlyElementsOf(expected);
        assertThat(text(friends.page("user_id", ann).get(3), "display_name")).isEqualTo("Third");
    }

    /** Both directions exist or none, in either order of requests and users. */
    @ParameterizedTest
    @CsvSource({"ann, ben", "😀, \uFFEE"})
    void madeAndEndedAtTheSameTimeAFriendshipIsNotHalved(String one, String other)
            throws SQLException {
        for (int round = 0; round < 23; round++) {
            String user = one + entity;
            String friend = other + entity + round;
            if (round % 2 == 0) {
                assertOk(befriend(user, friend));
            }
            Together.run(() -> befriend(user, friend), () -> unfriend(friend, user))
                    .forEach(ApiFixture::assertOk);
        }

        assertThat(halves()).isZero();
    }

    @Test
    void aUserCannotBefriendItself() {
        assertViolations(befriend(ann, ann), "friend_id");
        assertOk(unfriend(ann, ann));
    }

    @Test
    void invalidFieldsAreReportedByName() {
        assertViolations(service.get("/users"), "user_id");
        assertViolations(service.send("PUT", "/users", "{}"), "user_id");
        assertViolations(name(ann, "{\"display_name\":\"\"}"), "display_name");
        assertViolations(name(ann, "{\"display_name\":\"a\\nb\"}"), "display_name");
        assertViolations(name(ann, "{\"display_name\":7}"), "display_name");
        assertViolations(name(ann, ""), "body");
        assertViolations(service.send("PUT", "/users/friends", null), "user_id", "friend_id");
        assertViolations(service.send("DELETE", "/users/friends", null), "user_id", "friend_id");
        assertViolations(friends.ask("limit", "0"), "user_id", "limit");
        assertInvalidCursor(friends.ask("user_id", ann, "cursor", "x"));
        assertThat(text(name(ann, "[]").json(), "outcome")).isEqualTo("refused");
    }

    private Answer user(String user) {
        return other.get("/users?" + Instance.encode(Map.of("user_id", user)));
    }

    private Answer name(String user, String body) {
        return service.send("PUT", "/users?" + Instance.encode(Map.of("user_id", user)), body);
    }

    private Answer befriend(String user, String friend) {
        return service.send("PUT", pair(user, friend), null);
    }

    private Answer unfriend(String user, String friend) {
        return other.send("DELETE", pair(user, friend), null);
    }

    private static String pair(String user, String friend) {
        return "/users/friends?" + Instance.encode(Map.of("user_id", user, "friend_id", friend));
    }

    private List<String> of(String user) {
        return friends.page("user_id", user).stream().map(each -> text(each, "user_id")).toList();
    }

    private static long halves() throws SQLException {
        try (var connection = TwoInstances.database();
                var statement = connection.createStatement();
                var result =
                        statement.executeQuery(
                                """
                                select count(*) from friendship f
                                where  not exists (select from friendship o
                                                   where  o.user_id = f.friend_id
                                                   and    o.friend_id = f.user_id)
                                """)) {
            result.next();
            return result.getLong(1);
        }
    }
}
