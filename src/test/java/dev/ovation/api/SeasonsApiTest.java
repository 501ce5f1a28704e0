package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.MovedClock;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reactions for a season and an audience, through both instances. */
@DisplayName("Seasons")
class SeasonsApiTest extends ApiFixture {

    private static final String LIST = "/configuration/available_reactions?namespace_id=";

    private final String own = "own-" + entity;
    private final String set = "of " + own;

    @AfterEach
    void restoreTheSharedRules() {
        for (JsonNode each : seasonal(service).get("reactions")) {
            String reaction = text(each.get("reaction"), "id");
            assertThat(delete(service, text(each, "reaction_set_id"), reaction).status())
                    .isEqualTo(200);
        }
        configure(TestRules.shared()); // a refresh of other tests would lose this test's reactions
    }

    private List<String> offered(Instance instance, String query) {
        Answer answer = instance.get(LIST + own + query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return ids(answer.json().get("reactions"));
    }

    private static List<String> ids(JsonNode items) {
        return items.valueStream().map(each -> text(each, "id")).toList();
    }

    private Answer add(Instance instance, String user, String reaction, String attributes) {
        String body = Instance.body(own, entity, user, reaction);
        String more = ",\"attributes\":" + attributes + "}";
        return instance.send("POST", "/reactions", body.replaceAll("}$", "") + more);
    }

    private static Answer seasonal(Instance instance, String set, String reaction) {
        String body = "{\"reaction_set_id\":\"%s\",\"reaction\":%s}".formatted(set, reaction);
        return instance.send("POST", "/configuration/seasonal", body);
    }

    private static JsonNode seasonal(Instance instance) {
        return instance.get("/configuration/seasonal").json();
    }

    private static Answer delete(Instance instance, String set, String reaction) {
        var query = new LinkedHashMap<String, String>();
        query.put("reaction_set_id", set);
        query.put("reaction_id", reaction);
        return instance.send("DELETE", "/configuration/seasonal?" + Instance.encode(query), null);
    }

    /** A reaction of an hour. */
    private static String hour(String id) {
        return "{\"id\":\"%s\",\"type\":\"unicode\",\"code\":\"❄\",\"available\":{\"until\":\"%s\"}}"
                .formatted(id, Instant.now().plus(1, ChronoUnit.HOURS));
    }

    private static long version(Answer answer) {
        return answer.json().get("version").longValue();
    }

    @Nested
    class InTime {

        private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        private final Instant from = now.plus(1, ChronoUnit.HOURS);
        private final Instant until = now.plus(2, ChronoUnit.HOURS);
        private final MovedClock clock = new MovedClock(now);

        private void rules() {
            configure(
                    TestRules.shared()
                            .reaction(
                                    "tree",
                                    "{\"from\":\"%s\",\"until\":\"%s\"}".formatted(from, until))
                            .reaction("plain")
                            .namespace(own, 9, "tree", "plain"));
        }

        /** The script judges by the clock of the machine, which is before the season's end. */
        @Test
        void aReactionIsOfferedAndTakenInItsSeasonAlone() {
            rules();
            try (Instance moved = TwoInstances.third(clock)) {
                Map<Instant, Boolean> times = new LinkedHashMap<>();
                times.put(now, false);
                times.put(from.minusMillis(1), false);
                times.put(from, true);
                times.put(until.minusMillis(1), true);
                times.put(until, false);
                times.put(until.plus(1, ChronoUnit.DAYS), false);
                int user = 0;
                for (var time : times.entrySet()) {
                    clock.set(time.getKey());
                    String who = "user-" + user++;
                    boolean open = time.getValue();
                    assertThat(offered(moved, ""))
                            .as("%s", time)
                            .isEqualTo(open ? List.of("plain", "tree") : List.of("plain"));
                    assertThat(offered(moved, "&limit=100"))
                            .isEqualTo(open ? List.of("plain", "tree") : List.of("plain"));
                    Answer added = moved.add(own, entity, who, "tree");
                    if (open) {
                        assertOk(added);
                    } else {
                        assertRefused(added, 403, "reaction-not-available");
                    }
                    Answer put =
                            moved.send(
                                    "PUT",
                                    "/reactions",
                                    Instance.setBody(own, entity, who, List.of("plain", "tree")));
                    assertThat(put.status()).as(put.body()).isEqualTo(open ? 200 : 403);
                }
                assertThat(counts(moved.read(own, entity, "user-2").json()))
                        .isEqualTo("tree 2, plain 2");
                assertOk(moved.remove(own, entity, "user-2", "tree"));
                assertThat(counts(moved.read(own, entity, "user-3").json()))
                        .isEqualTo("plain 2, tree 1");
                Answer kept =
                        moved.send(
                                "PUT",
                                "/reactions",
                                Instance.setBody(own, entity, "user-3", List.of("tree")));
                assertThat(kept.status()).as(kept.body()).isEqualTo(200);
            }
        }

        @Test
        void anAnswerMayBeKeptUntilTheNextEdgeAtMost() {
            rules();
            try (Instance moved = TwoInstances.third(clock)) {
                clock.set(from.minusMillis(7_500));
                Answer before = moved.get(LIST + own);
                assertThat(header(before, "Cache-Control")).isEqualTo("public, max-age=7");
                clock.set(from.minusMillis(1));
                assertThat(header(moved.get(LIST + own), "Cache-Control"))
                        .isEqualTo("public, max-age=0");
                String tag = header(before, "ETag");
                assertThat(unless(moved, tag).status()).isEqualTo(304);
                clock.set(from);
                Answer after = unless(moved, tag);
                assertThat(after.status()).isEqualTo(200);
                assertThat(header(after, "Cache-Control")).isEqualTo("public, max-age=60");
            }
        }

        private Answer unless(Instance instance, String tag) {
            return instance.send("GET", LIST + own, null, "If-None-Match", tag);
        }
    }

    @Nested
    class OfAnAudience {

        private void rules() {
            configure(
                    TestRules.shared()
                            .reaction("late", "{\"until\":\"2101-01-01T00:00:00Z\"}")
                            .reaction("early", "{\"until\":\"2100-01-01T00:00:00Z\"}")
                            .reaction("beer", "{\"audience\":{\"age\":{\"min\":18}}}")
                            .reaction(
                                    "women",
                                    "{\"until\":\"2100-06-01T00:00:00Z\",\"audience\":{\"gender\":[\"F\"]}}")
                            .reaction(
                                    "island",
                                    "{\"audience\":{\"country\":[\"TW\",\"JP\"],\"platform\":[\"ios\"]}}")
                            .reaction("plain")
                            .namespace(
                                    own, 9, "late", "beer", "early", "women", "plain", "island"));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                textBlock =
                        """
                        ''                          | {}                              | plain early late
                        &limit=100                  | {}                              | plain early late
                        &age=17                     | {"age":17}                      | plain early late
                        &age=18                     | {"age":18}                      | beer plain early late
                        &gender=f                   | {"gender":"f"}                  | plain early women late
                        &gender=m                   | {"gender":"m"}                  | plain early late
                        &country=TW                 | {"country":"TW"}                | plain early late
                        &country=tw&platform=IOS    | {"country":"tw","platform":"IOS"} | plain island early late
                        &country=DE&platform=ios    | {"country":"DE","platform":"ios"} | plain early late
                        &age=40&gender=F&country=JP&platform=ios | {"age":40,"gender":"F","country":"JP","platform":"ios"} | beer plain island early women late
                        &offset=1                   | {}                              | early late
                        &limit=1&offset=1           | {}                              | early
                        &offset=9                   | {}                              | ``
                        """)
        void seesAndAddsWhatItsTraitsAllow(String query, String attributes, String expected) {
            rules();
            String sent = query.replace("''", "");
            List<String> ids = expected.isEmpty() ? List.of() : List.of(expected.split(" "));

            assertThat(offered(service, sent)).isEqualTo(ids);
            assertThat(offered(other, sent)).isEqualTo(ids);
            if (!sent.contains("offset")) {
                for (String id : List.of("late", "beer", "early", "women", "plain", "island")) {
                    Answer added = add(service, "user of " + id, id, attributes);
                    if (ids.contains(id)) {
                        assertOk(added);
                    } else {
                        assertRefused(added, 403, "reaction-not-available");
                    }
                }
            }
        }

        @Test
        void isJudgedInEachOperationOfABatch() {
            rules();
            String operation =
                    "{\"op\":\"add\",\"namespace_id\":\"%s\",\"entity_id\":\"%s\",\"user_id\":\"%s\","
                            + "\"reaction_id\":\"beer\",\"attributes\":{\"age\":%s}}";
            String body =
                    "{\"operations\":[%s,%s]}"
                            .formatted(
                                    operation.formatted(own, entity, "ann", "17"),
                                    operation.formatted(own, entity, "ben", "18"));
            JsonNode results = service.send("POST", "/reactions/batch", body).json().get("results");

            assertThat(results.get(0).at("/problem/code").stringValue())
                    .isEqualTo("reaction-not-available");
            assertThat(text(results.get(1), "outcome")).isEqualTo("applied");
        }

        @Test
        void illFormedValuesAreNamed() {
            String query = "&age=151&gender=%20&country=TWN&platform=&limit=101&offset=-1";
            assertViolations(
                    service.get(LIST + "letters" + query),
                    "age",
                    "gender",
                    "country",
                    "platform",
                    "limit",
                    "offset");
            assertViolations(service.get(LIST + "letters&limit=0"), "limit");
            rules();
            assertViolations(
                    add(service, "ann", "a", "{\"age\":\"18\",\"gender\":\"\",\"country\":\"T\"}"),
                    "attributes.age",
                    "attributes.gender",
                    "attributes.country");
            assertViolations(add(service, "ann", "a", "[]"), "attributes");
        }
    }

    /** Rules without any season answer as before. */
    @Test
    void withoutSeasonsAndParametersTheTagIsTheVersion() {
        configure(TestRules.shared());
        Answer answer = service.get(LIST + "letters");

        assertThat(header(answer, "ETag"))
                .isEqualTo("\"%d\"".formatted(inForce(service).get("version").longValue()));
        assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=60");
        assertThat(service.get(LIST + "letters&limit=100").body()).isEqualTo(answer.body());
    }

    @Nested
    class Single {

        private void rules() {
            configure(TestRules.shared().reaction("plain").namespace(own, 9, "plain"));
        }

        @Test
        void aReactionIsInForceOnAllInstancesAfterItsAnswer() {
            rules();
            Answer added = seasonal(service, set, hour("snow"));

            assertThat(added.status()).as(added.body()).isEqualTo(201);
            assertOk(other.add(own, entity, "ann", "snow"));
            assertThat(offered(service, "")).containsExactly("plain", "snow");
            assertThat(ids(reactions(seasonal(other)))).containsExactly("snow");
            Answer removed = delete(other, set, "snow");
            assertThat(removed.status()).as(removed.body()).isEqualTo(200);
            assertThat(version(removed)).isEqualTo(version(added) + 1);
            assertRefused(service.add(own, entity, "ben", "snow"), 403, "unknown-reaction");
            assertThat(counts(read(service, own, "user_id", "ann").json())).isEqualTo("snow 1");
            assertOk(service.remove(own, entity, "ann", "snow"));
            assertRefused(delete(service, set, "snow"), 404, "not-found");
        }

        /** A version has its seasonal reactions, and so has a roll-back to it. */
        @Test
        void aVersionShowsThemAndARollBackRestoresThem() {
            rules();
            String name = "seasonal reaction %s of reaction set " + set;
            long snow = version(seasonal(service, set, hour("snow")));
            JsonNode shown = stored(snow, "");
            assertThat(delete(service, set, "snow").status()).isEqualTo(200);
            long rain = version(seasonal(service, set, hour("rain")));

            assertThat(ids(reactions(shown, "seasonal"))).containsExactly("snow");
            assertThat(texts(shown.get("changes")))
                    .containsExactly(name.formatted("snow") + " added");
            assertThat(ids(reactions(stored(rain, ""), "seasonal"))).containsExactly("rain");
            assertThat(texts(stored(snow, "&compared_to=" + rain).get("changes")))
                    .containsExactlyInAnyOrder(
                            name.formatted("snow") + " added", name.formatted("rain") + " removed");

            Answer back = other.send("POST", "/configuration/rollback?version=" + snow, null);

            assertThat(back.status()).as(back.body()).isEqualTo(200);
            JsonNode restored = stored(version(back), "");
            assertThat(restored.get("seasonal")).isEqualTo(shown.get("seasonal"));
            assertThat(restored.get("content")).isEqualTo(shown.get("content"));
            assertOk(service.add(own, entity, "ann", "snow"));
            assertRefused(service.add(own, entity, "ben", "rain"), 403, "unknown-reaction");
        }

        private JsonNode stored(long number, String more) {
            return service.get("/configuration/versions?version=" + number + more).json();
        }

        private JsonNode reactions(JsonNode page) {
            return reactions(page, "reactions");
        }

        private JsonNode reactions(JsonNode page, String member) {
            var array = JsonMapper.shared().createArrayNode();
            page.get(member).forEach(each -> array.add(each.get("reaction")));
            return array;
        }

        @Test
        void aReplacementAndARefreshKeepIt() {
            rules();
            assertThat(seasonal(service, set, hour("snow")).status()).isEqualTo(201);

            configure(TestRules.shared().reaction("next").namespace(own, 9, "next"));
            assertThat(offered(service, "")).containsExactly("next", "snow");
            configure(TestRules.shared());
            configure(TestRules.shared().reaction("next").namespace(own, 9, "next"));
            assertOk(other.add(own, entity, "ann", "snow"));
            try {
                put(TestRules.shared().reaction("filed").namespace(own, 9, "filed"));
                assertThat(offered(service, "")).containsExactly("filed", "snow");
                assertThat(inForce(service).at("/files/differ").booleanValue()).isFalse();
                long version = inForce(service).get("version").longValue();
                assertThat(refreshed(service).json().get("version").longValue()).isEqualTo(version);
            } finally {
                put(TestRules.shared());
            }
        }

        @Test
        void whatTheFilesDefineIsStrongerThanIt() {
            rules();
            assertThat(seasonal(service, set, hour("snow")).status()).isEqualTo(201);
            configure(
                    TestRules.shared()
                            .reaction("snow", "{\"until\":\"2001-01-01T00:00:00Z\"}")
                            .reaction("plain")
                            .namespace(own, 9, "plain", "snow"));

            assertThat(offered(service, "")).containsExactly("plain");
            assertRefused(service.add(own, entity, "ann", "snow"), 403, "reaction-not-available");
            assertThat(seasonal(service).get("reactions")).hasSize(1);
        }

        @Test
        void aRepetitionChangesNothingAndAnotherDefinitionConflicts() {
            rules();
            String snow = hour("snow");
            Answer added = seasonal(service, set, snow);
            Answer again = seasonal(other, set, snow);

            assertThat(again.status()).isEqualTo(201);
            assertThat(version(again)).isEqualTo(version(added));
            String otherwise = snow.replace("❄", "☃");
            assertRefused(seasonal(other, set, otherwise), 409, "reaction-already-defined");
            assertRefused(seasonal(other, "letters", otherwise), 409, "reaction-already-defined");
            assertThat(seasonal(other, "letters", snow).status()).isEqualTo(201);
            assertRefused(seasonal(other, set, hour("a")), 409, "reaction-already-defined");
        }

        @Test
        void unknownSetsAndIllFormedBodiesAreInvalid() {
            JsonNode problem =
                    assertRefused(
                            seasonal(service, "no such set", hour("snow")),
                            422,
                            "invalid-configuration");
            assertThat(problem.get("violations")).hasSize(1);
            assertRefused(
                    service.send("POST", "/configuration/seasonal", "{"),
                    422,
                    "invalid-configuration");
        }

        @Test
        void allAreListedPageByPage() {
            rules();
            for (String id : List.of("c1", "a1", "b1")) {
                assertThat(seasonal(service, set, hour(id)).status()).isEqualTo(201);
            }
            var query = new LinkedHashMap<String, String>();
            query.put("reaction_set_id", set);
            query.put("limit", "2");
            JsonNode first = other.get("/configuration/seasonal?" + Instance.encode(query)).json();
            query.put("cursor", text(first, "next_cursor"));
            JsonNode second = other.get("/configuration/seasonal?" + Instance.encode(query)).json();

            assertThat(ids(reactions(first))).containsExactly("a1", "b1");
            assertThat(ids(reactions(second))).containsExactly("c1");
            assertThat(second.has("next_cursor")).isFalse();
            assertInvalidCursor(
                    other.get(
                            "/configuration/seasonal?reaction_set_id=letters&cursor="
                                    + text(first, "next_cursor")));
        }

        @Test
        void additionsThroughBothInstancesAtOnceAreAllKept() throws Exception {
            rules();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 8; i++) {
                Instance instance = i % 2 == 0 ? service : other;
                String reaction = hour("t" + i);
                threads.add(Thread.startVirtualThread(() -> seasonal(instance, set, reaction)));
            }
            for (Thread thread : threads) {
                thread.join(Duration.ofMinutes(1));
            }

            assertThat(ids(reactions(seasonal(service))))
                    .containsExactly("t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7");
        }

        @ParameterizedTest
        @ValueSource(strings = {"reaction_set_id=s", "reaction_id=r", ""})
        void aRemovalNamesBoth(String query) {
            Answer answer = service.send("DELETE", "/configuration/seasonal?" + query, null);

            assertThat(answer.status()).isEqualTo(400);
        }
    }
}
