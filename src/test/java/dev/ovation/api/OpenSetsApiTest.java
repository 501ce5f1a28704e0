package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Imports;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

@DisplayName("Open reaction sets")
class OpenSetsApiTest extends ApiFixture {

    @Test
    void anyEmojiIsTakenAndAnsweredInItsFullSpelling() {
        given("chat", "ann", "🏳‍🌈");
        given("chat", "ben", "🏳\uFE0F‍🌈", "🎉");

        assertThat(counts("chat")).isEqualTo("🏳\uFE0F‍🌈 2, 🎉 1");
        assertThat(own("chat", "ann")).containsExactly("🏳\uFE0F‍🌈");
        assertThat(details("chat").at("/reactions_count/0").has("retired")).isFalse();
        assertRefused(add("chat", "cleo", "hello"), 403, "unknown-reaction");
        assertOk(remove("chat", "ann", "🏳‍🌈"));
        assertThat(counts("chat")).isEqualTo("🏳\uFE0F‍🌈 1, 🎉 1");
    }

    @Test
    void skinTonesCountAsOneReaction() throws Exception {
        given("chat", "ann", "👍🏽");
        given("chat", "ben", "👍");
        given("chat", "cleo", "👩🏽‍🤝‍👨🏻");

        assertThat(counts("chat")).isEqualTo("👍 2, 👫 1");
        assertThat(own("chat", "ann")).containsExactly("👍🏽");
        assertThat(own("chat", "cleo")).containsExactly("👩🏽‍🤝‍👨🏻");
        assertRefused(add("chat", "ann", "👍🏿"), 403, "reaction-already-exists");
        assertThat(put("ann", "👍🏻", "👍🏿", "🎉").at("/added/0").stringValue()).isEqualTo("🎉");
        assertThat(own("chat", "ann")).containsExactlyInAnyOrder("👍🏽", "🎉");
        assertOk(remove("chat", "ann", "👍🏿"));
        assertThat(Rows.of("chat", entity))
                .containsExactlyInAnyOrder("ann 🎉", "ben 👍", "cleo 👫");
        String users =
                "/reactions/users?namespace_id=chat&reaction_id=%F0%9F%91%8D%F0%9F%8F%BD&entity_id=";
        assertThat(service.get(users + entity).json().at("/users")).hasSize(1);
    }

    @Test
    void anImportFoldsSkinTonesToo() {
        Imports.run(
                service,
                "kind=reactions",
                Imports.HEADER
                        + "chat,%s,ann,👍🏽,1000\nchat,%s,ann,👍,1000\n".formatted(entity, entity));

        assertThat(counts("chat")).isEqualTo("👍 1");
        assertThat(own("chat", "ann")).containsExactly("👍🏽");
    }

    /** From Postgres, after Redis has lost it. */
    @Test
    void anExportHasTheSkinTonesOfEachUser() {
        given("chat", "ann", "👍🏽");
        given("chat", "ben", "👍");

        assertThat(service.get("/exports?kind=reactions&namespace_id=chat").body())
                .contains("chat," + entity + ",ann,👍🏽,", "chat," + entity + ",ben,👍,");
    }

    @Test
    void aUserHasAtMostTheNumberOfReactionsThatTheNamespaceAllows() {
        given("chat", "ann", "🎉", "🔥");

        JsonNode problem = assertRefused(add("chat", "ann", "😂"), 403, "too-many-reactions");
        assertThat(problem.get("limit").intValue()).isEqualTo(2);
        assertThat(counts("chat")).isEqualTo("🎉 1, 🔥 1");
        assertOk(remove("chat", "ann", "🎉"));
        given("chat", "ann", "😂");
        assertThat(put("ann", "👀", "💯").at("/unchanged")).isEmpty();
    }

    /** Two additions at a time, through two instances, for each of some users. */
    @Test
    void theLimitOfAUserHoldsUnderConcurrency() throws Exception {
        var together = new ArrayList<Thread>();
        for (String user : List.of("u1", "u2", "u3", "u4")) {
            for (String reaction : List.of("🎉", "🔥", "😂", "👀", "💯")) {
                var instance = reaction.equals("🔥") ? other : service;
                String body = dev.ovation.testing.Instance.body("chat", entity, user, reaction);
                together.add(
                        Thread.ofVirtual().start(() -> instance.send("POST", "/reactions", body)));
            }
        }
        for (Thread each : together) {
            each.join();
        }

        List<String> rows = Rows.of("chat", entity);
        for (String user : List.of("u1", "u2", "u3", "u4")) {
            assertThat(rows.stream().filter(row -> row.startsWith(user))).hasSize(2);
        }
    }

    @Test
    void anyTextIsTakenUntilTooManyHaveANumber() throws Exception {
        given("walls", "ann", "well done", "é");
        assertRefused(add("walls", "ann", "é".repeat(33)), 403, "unknown-reaction");
        assertThat(counts("walls")).isEqualTo("well done 1, é 1");

        try (var database = TwoInstances.database();
                var statement = database.createStatement()) {
            statement.execute("insert into reaction_name values (20000, 'at the limit')");
            try {
                given("walls", "ann", "at the limit");
                assertRefused(add("walls", "ann", "one more text"), 403, "unknown-reaction");
                given("chat", "ann", "🦕");
            } finally {
                statement.execute("update reaction_name set no = 19000 where no = 20000");
            }
        }
    }

    private JsonNode put(String user, String... reactions) {
        String ids = String.join("\",\"", reactions);
        var answer =
                service.send(
                        "PUT",
                        "/reactions",
                        "{\"namespace_id\":\"chat\",\"entity_id\":\"%s\",\"user_id\":\"%s\",\"reaction_ids\":[\"%s\"]}"
                                .formatted(entity, user, ids));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }
}
