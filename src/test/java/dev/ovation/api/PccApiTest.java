package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** {@code /pcc}, the contest's API, which is enabled on one of the instances. */
class PccApiTest extends ApiFixture {

    private static final String LARGEST = "18446744073709551615";

    private final String object =
            Long.toUnsignedString(ThreadLocalRandom.current().nextLong() | 1L << 63);

    @Test
    void isNotThereUnlessEnabled() {
        assertProblem(other.get("/pcc?action=count&oid=1"), 404, "not-found");
    }

    @Test
    void aLikeReturnsTheListOfLikers() {
        like("1");

        assertThat(like("2").body())
                .isEqualTo(
                        "{\"oid\":%s,\"uid\":2,\"like_list\":[{\"2\":\"\"},{\"1\":\"\"}]}"
                                .formatted(object));
    }

    @Test
    void aSecondLikeOfAUserIsRefused() {
        like("7");

        assertThat(like("7").body())
                .isEqualTo(
                        "{\"error_code\":501,\"error_message\":\"object already been liked.\",\"oid\":%s,\"uid\":7}"
                                .formatted(object));
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aLikeByPostCountsAsWell() {
        Answer answer = service.send("POST", path("like", "uid", "7"), null);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void isLikeIsOneForLikersAndZeroForOthers() {
        like("1");

        assertThat(get("is_like", "uid", "1").body())
                .isEqualTo("{\"oid\":%s,\"uid\":1,\"is_like\":1}".formatted(object));
        assertThat(get("is_like", "uid", "2").json().get("is_like").intValue()).isZero();
    }

    @Test
    void countsHowManyLike() {
        assertThat(get("count").body()).isEqualTo("{\"oid\":%s,\"count\":0}".formatted(object));
        like("1");
        like("2");
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void idsAreNumbersUpToTheLargestOf64Bits() {
        like(LARGEST);
        like("007");

        assertThat(get("is_like", "uid", LARGEST).body()).contains("\"uid\":" + LARGEST);
        assertThat(get("is_like", "uid", "7").json().get("is_like").intValue()).isEqualTo(1);
        assertThat(get("list").body()).contains("{\"7\":\"");
        assertThat(list(get("list").json())).containsExactly("7", LARGEST);
    }

    @Test
    void aListIsReadByNumbersThatEndWithZero() {
        List<String> newestFirst = new ArrayList<>();
        for (int i = 1; i <= 13; i++) {
            like(Integer.toString(i));
            newestFirst.addFirst(Integer.toString(i));
        }

        assertThat(pages("page_size", "5")).isEqualTo(newestFirst);
        assertThat(get("list", "page_size", "13").json().get("next_cursor").intValue()).isZero();
    }

    @Test
    void friendsComeFirstAndAloneIfWished() {
        IntStream.rangeClosed(1, 6).forEach(i -> like(Integer.toString(i)));
        String viewer = object;
        befriend(viewer, "2");
        befriend(viewer, "5");

        for (String size : List.of("1", "2", "3", "255")) {
            assertThat(pages("uid", viewer, "page_size", size))
                    .containsExactly("5", "2", "6", "4", "3", "1");
            assertThat(pages("uid", viewer, "page_size", size, "is_friend", "1"))
                    .containsExactly("5", "2");
        }
        assertThat(list(like(viewer).json())).startsWith("5", "2", viewer);
    }

    @Test
    void nicknamesAreDisplayNames() {
        service.send("PUT", "/users?user_id=" + object, "{\"display_name\":\"Jerry\"}");
        like(object);

        assertThat(get("list").json().at("/like_list/0/" + object).stringValue())
                .isEqualTo("Jerry");
    }

    @Test
    void likesWithEqualTimesArePagedWithoutLossOrRepetition() throws Exception {
        List<String> users = List.of("9", "8", "7", "6", "5", "4", "3", "2", "1");
        users.forEach(this::like);
        for (String change :
                List.of(
                        "user_reaction r set reacted_at = 377",
                        "counter r set first_at = 377, last_at = 377")) {
            try (var database = TwoInstances.database();
                    var update =
                            database.prepareStatement(
                                    """
                                    update %s
                                    from   entity e
                                    where  e.namespace = 'pcc' and e.entity = ?
                                    and    r.p = e.p and r.entity_no = e.no
                                    """
                                            .formatted(change))) {
                update.setString(1, object);
                update.executeUpdate();
            }
        }

        assertThat(pages("page_size", "2")).isEqualTo(users);
    }

    @ParameterizedTest
    @CsvSource({
        "action=count,                           oid is missing",
        "action=count&oid=,                      oid is missing",
        "action=count&oid=x,                     oid must be",
        "action=count&oid=-1,                    oid must be",
        "action=count&oid=18446744073709551616,  oid must be",
        "action=like&oid=1,                      uid is missing",
        "action=unlike&oid=1,                    action must be",
        "oid=1,                                  action must be",
        "action=list&oid=1&page_size=0,          page_size must be",
        "action=list&oid=1&page_size=256,        page_size must be",
        "action=list&oid=1&cursor=x,             cursor must be",
        "action=list&oid=1&is_friend=yes,        is_friend must be",
        "action=list&oid=1&is_friend=1,          uid is missing",
        "action=count&oid=1&oid=2,               oid is given more than once"
    })
    void aMalformedRequestIsReportedInTheBody(String query, String message) {
        Answer answer = service.get("/pcc?" + query);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("error_code").intValue()).isEqualTo(400);
        assertThat(text(answer.json(), "error_message")).contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1023", "18446744073709551615", "9223372036854775808"})
    void anyNumberIsAValidCursor(String cursor) {
        like("1");

        assertThat(get("list", "cursor", cursor).json().get("like_list").isArray()).isTrue();
    }

    @Test
    void anUnconfiguredNamespaceIsAnsweredWithErrorCode404() {
        try {
            String[] json = {"Content-Type", "application/json"};
            String query = "?allow_empty=true&accept_loss=true";
            assertApplied(service.send("POST", "/configuration" + query, "{}", json));

            for (Answer answer : List.of(like("1"), get("count"), get("is_like", "uid", "1"))) {
                assertThat(answer.json().get("error_code").intValue()).isEqualTo(404);
            }
        } finally {
            configure(TestRules.shared());
        }
    }

    @Test
    void nothingOfItIsKeptByCaches() {
        assertThat(header(get("count"), "Cache-Control")).isEqualTo("no-store");
        assertThat(header(service.get("/pcc"), "Cache-Control")).isEqualTo("no-store");
    }

    private Answer like(String user) {
        return get("like", "uid", user);
    }

    private long count() {
        return get("count").json().get("count").longValue();
    }

    private void befriend(String user, String friend) {
        assertOk(
                service.send(
                        "PUT",
                        "/users/friends?user_id=%s&friend_id=%s".formatted(user, friend),
                        null));
    }

    /** All users of a list, part by part. */
    private List<String> pages(String... more) {
        var users = new ArrayList<String>();
        String cursor = "0";
        do {
            var query = new ArrayList<>(List.of(more));
            query.addAll(List.of("cursor", cursor));
            JsonNode part = get("list", query.toArray(String[]::new)).json();
            users.addAll(list(part));
            cursor = part.get("next_cursor").asString();
        } while (!cursor.equals("0"));
        return users;
    }

    private static List<String> list(JsonNode answer) {
        return answer.get("like_list")
                .valueStream()
                .map(each -> each.propertyNames().iterator().next())
                .toList();
    }

    private Answer get(String action, String... more) {
        Answer answer = service.get(path(action, more));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private String path(String action, String... more) {
        var path = new StringBuilder("/pcc?action=" + action + "&oid=" + object);
        for (int i = 0; i < more.length; i += 2) {
            path.append('&').append(more[i]).append('=').append(more[i + 1]);
        }
        return path.toString();
    }
}
