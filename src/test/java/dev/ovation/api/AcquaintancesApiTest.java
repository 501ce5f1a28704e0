package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** {@code POST /reactions/users/query}. */
class AcquaintancesApiTest extends ApiFixture {

    @Test
    void reactorsAmongGivenUsersAreCountedAndTheNewestListed() {
        for (int i = 0; i < 7; i++) {
            given("letters", "user" + i, "a");
        }
        given("letters", "user1", "d");
        JsonNode found = find(List.of(entity), 2, "user0", "user1", "user3", "user1", "nobody");

        assertThat(text(found, "entity_id")).isEqualTo(entity);
        assertThat(found.get("count").longValue()).isEqualTo(3);
        assertThat(ids(found)).containsExactly("user1", "user3");
        assertThat(
                        found.at("/users/0/reactions")
                                .valueStream()
                                .map(each -> text(each, "reaction_id")))
                .containsExactly("d", "a");
    }

    @Test
    void itMakesNoDifferenceWhetherReactorsOrUsersAreMore() {
        for (int i = 0; i < 7; i++) {
            given("letters", "user" + i, "a");
        }
        String[] many = IntStream.range(0, 40).mapToObj(i -> "user" + i).toArray(String[]::new);

        assertThat(ids(find(List.of(entity), 50, many)))
                .containsExactly("user6", "user5", "user4", "user3", "user2", "user1", "user0");
        assertThat(ids(find(List.of(entity), 50, "user6", "user0", "user40")))
                .containsExactly("user6", "user0");
    }

    @Test
    void entitiesComeInTheOrderAskedWithOrWithoutAny() {
        given("letters", "ann", "a");
        JsonNode all = ask(List.of("nothing here", entity, entity), 5, List.of("ann")).json();

        assertThat(all.get("entities").valueStream().map(each -> each.get("count").longValue()))
                .containsExactly(0L, 1L, 1L);
        assertThat(all.at("/entities/0").toString())
                .isEqualTo("{\"entity_id\":\"nothing here\",\"count\":0,\"users\":[]}");
    }

    @Test
    void anEmptyListOfUsersContainsNoReactors() {
        given("letters", "ann", "a");

        assertThat(find(List.of(entity), 5).get("count").longValue()).isZero();
    }

    @Test
    void invalidFieldsAreReportedByName() {
        assertViolations(send("{}"), "namespace_id", "entity_ids", "among");
        assertViolations(
                send(
                        "{\"namespace_id\":\"letters\",\"entity_ids\":[\"\",7],\"among\":{},\"limit\":0}"),
                "entity_ids[0]",
                "entity_ids[1]",
                "among",
                "limit");
        assertViolations(
                ask(Collections.nCopies(51, "x"), 5, Collections.nCopies(1001, "u")),
                "entity_ids",
                "among");
        assertProblem(
                send("{\"namespace_id\":\"no-such\",\"entity_ids\":[],\"among\":[]}"),
                404,
                "unknown-namespace");
    }

    private JsonNode find(List<String> entities, int limit, String... among) {
        Answer answer = ask(entities, limit, List.of(among));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().at("/entities/0");
    }

    private Answer ask(List<String> entities, int limit, List<String> among) {
        var body = new LinkedHashMap<String, Object>(Map.of("namespace_id", "letters"));
        body.put("entity_ids", entities);
        body.put("among", among);
        body.put("limit", limit);
        return send(JsonMapper.shared().writeValueAsString(body));
    }

    private Answer send(String body) {
        return service.send("POST", "/reactions/users/query", body);
    }

    private static List<String> ids(JsonNode found) {
        return found.get("users").valueStream().map(each -> text(each, "user_id")).toList();
    }
}
