package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

@DisplayName("Moderation")
class ModerationApiTest extends ApiFixture {

    private final String user = "user-" + UUID.randomUUID();

    private Answer lock(String body) {
        return lock("letters", entity, body);
    }

    private Answer sent(String method, String target, String body) {
        return service.send(method, target, body, "Content-Type", "application/json");
    }

    /** The state now: a read without a viewer may be a moment old. */
    private JsonNode now(String namespace) {
        return read(service, namespace, "details", "true", "user_id", "a viewer").json();
    }

    private String countsNow(String namespace) {
        return counts(now(namespace));
    }

    private Answer elsewhere(String method, String user, String reaction) {
        return other.send(method, "/reactions", Instance.body("letters", entity, user, reaction));
    }

    private Answer ban(String namespace, String body) {
        return sent("PUT", banned(namespace), body);
    }

    private Answer lift(String namespace) {
        return service.send("DELETE", banned(namespace), null);
    }

    private String banned(String namespace) {
        return "/users/ban?user_id="
                + user
                + (namespace == null ? "" : "&namespace_id=" + namespace);
    }

    private List<String> rows() {
        try {
            return Rows.of("letters", entity);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitRows(String... expected) {
        Wait.until(
                "the rows are " + List.of(expected),
                () -> rows().stream().sorted().toList().equals(List.of(expected)));
    }

    /** Waits for the job of an answer, if there is one. */
    private void settle(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isIn(200, 202);
        if (answer.status() == 202) {
            String target = answer.headers().get("location");
            Wait.until("the job ends", () -> service.get(target).json().has("finished_at"));
        }
    }

    /** Lets a job have begun so long ago that it need not wait for writes of before. */
    private static void age(Answer answer) throws Exception {
        try (var database = TwoInstances.database();
                var update =
                        database.prepareStatement(
                                """
                                update job set started_at = started_at - interval '1 hour'
                                where  job_id = ?
                                """)) {
            update.setLong(1, Long.parseLong(Imports.id(answer)));
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    /** Waits until these reactions of the user are hidden, as in {@code letters a}. */
    private void awaitHidden(String... expected) {
        Wait.until(
                "hidden are " + List.of(expected),
                this::hidden,
                hidden -> hidden.equals(List.of(expected)));
    }

    private List<String> hidden() throws Exception {
        try (var database = TwoInstances.database();
                var query =
                        database.prepareStatement(
                                """
                                select e.namespace || ' ' || x.name
                                from   hidden_reaction h
                                join   entity e on e.p = h.p and e.no = h.entity_no
                                join   reaction_name x on x.no = h.reaction
                                where  h.user_id = ?
                                order  by 1
                                """)) {
            query.setString(1, user);
            var hidden = new ArrayList<String>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    hidden.add(rows.getString(1));
                }
            }
            return hidden;
        }
    }

    /** Number of counters of the entity that differ from its rows. */
    private long unequal() throws Exception {
        try (var database = TwoInstances.database();
                var query =
                        database.prepareStatement(
                                """
                                select (select count(*)
                                        from   entity e
                                        join   counter c on c.p = e.p and c.entity_no = e.no
                                        where  e.entity = ?
                                        and    c.count <> (select count(*) from user_reaction r
                                                           where  r.p = c.p
                                                           and    r.entity_no = c.entity_no
                                                           and    r.reaction = c.reaction))
                                     + (select count(*)
                                        from   entity e
                                        join   user_reaction r on r.p = e.p and r.entity_no = e.no
                                        left   join counter c
                                               on  c.p = r.p and c.entity_no = r.entity_no
                                               and c.reaction = r.reaction
                                        where  e.entity = ? and c.p is null)
                                     + (select count(*) from entity e
                                        where  e.entity = ?
                                        and    e.people <> (select count(distinct r.user_id)
                                                            from   user_reaction r
                                                            where  r.p = e.p and r.entity_no = e.no))
                                """)) {
            for (int i = 1; i <= 3; i++) {
                query.setString(i, entity);
            }
            try (var rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    @Nested
    class Locks {

        @Test
        void aLockedEntityTakesNothingThroughAnyInstance() {
            given("letters", "ann", "a");
            assertThat(read(other, "letters").json().has("locked")).isFalse();

            assertOk(lock("{\"locked\":true}"));

            assertRefused(elsewhere("POST", "ben", "a"), 403, "entity-locked");
            assertRefused(add("letters", "ben", "c"), 403, "entity-locked");
            assertThat(
                            read(service, "letters", "user_id", "ann")
                                    .json()
                                    .get("locked")
                                    .booleanValue())
                    .isTrue();
            Wait.until(
                    "the near cache shows the lock",
                    () -> read(other, "letters").json().has("locked"));
            assertThat(now("letters").get("locked").booleanValue()).isTrue();
            assertThat(rows()).containsExactly("ann a");
        }

        @Test
        void takingBackIsAllowed() {
            given("letters", "ann", "a", "d");
            assertOk(lock("{\"locked\":true}"));

            Answer removed = remove("letters", "ann", "a", "Prefer", "return=representation");
            assertThat(removed.json().at("/entity/locked").booleanValue()).isTrue();
            Answer put = put("ann");
            assertThat(put.status()).as(put.body()).isEqualTo(200);
            assertThat(rows()).isEmpty();
            assertRefused(put("ann", "a"), 403, "entity-locked");
        }

        @Test
        void someReactionsPass() {
            assertOk(lock("{\"locked\":true,\"reaction_ids\":[\"a\",\"d\"]}"));

            given("letters", "ann", "a");
            assertOk(elsewhere("POST", "ben", "d"));
            assertRefused(add("letters", "ann", "c"), 403, "entity-locked");
            assertRefused(put("ann", "a", "e"), 403, "entity-locked");
            assertThat(put("ann", "a", "d").status()).isEqualTo(200);
            assertThat(rows()).containsExactlyInAnyOrder("ann a", "ann d", "ben d");
        }

        /** Also when the entity is not locked any more. */
        @Test
        void aRepeatedWriteIsAnsweredWithTheLockOfItsTime() {
            assertOk(lock("{\"locked\":true,\"reaction_ids\":[\"a\"]}"));
            String[] headers = {"Idempotency-Key", "a-key", "Prefer", "return=representation"};
            Answer first = add("letters", user, "a", headers);
            assertThat(first.json().at("/entity/locked").booleanValue()).isTrue();

            assertThat(add("letters", user, "a", headers).body()).isEqualTo(first.body());
            assertOk(lock("{\"locked\":false}"));
            assertThat(add("letters", user, "a", headers).body()).isEqualTo(first.body());
        }

        @Test
        void anUnlockedEntityTakesReactionsAgain() {
            given("letters", "ann", "a");
            String version = text(now("letters"), "version");
            assertOk(lock("{\"locked\":true}"));
            assertOk(lock("{\"locked\":true}"));
            assertThat(text(now("letters"), "version")).isGreaterThan(version);
            assertOk(lock("{\"locked\":false}"));
            assertOk(lock("{\"locked\":false}"));

            assertOk(elsewhere("POST", "ben", "a"));
            assertThat(now("letters").has("locked")).isFalse();
            assertThat(countsNow("letters")).isEqualTo("a 2");
        }

        @Test
        void anEntityThatWasNeverSeenCanBeLockedAndUnlocked() {
            assertOk(lock("{\"locked\":false}"));
            assertOk(lock("{\"locked\":true}"));
            assertRefused(add("letters", "ann", "a"), 403, "entity-locked");
            assertOk(lock("{\"locked\":false}"));
            given("letters", "ann", "a");
        }

        @Test
        void anIllFormedLockIsRefused() {
            assertViolations(lock("{}"), "locked");
            assertViolations(lock("{\"locked\":1}"), "locked");
            assertViolations(
                    lock("{\"locked\":true,\"reaction_ids\":[1,\"\"]}"),
                    "reaction_ids[0]",
                    "reaction_ids[1]");
            assertRefused(
                    sent("PUT", "/entities?namespace_id=nowhere&entity_id=1", "{\"locked\":true}"),
                    403,
                    "unknown-namespace");
        }

        private Answer put(String user, String... reactions) {
            String ids = reactions.length == 0 ? "" : "\"" + String.join("\",\"", reactions) + "\"";
            return service.send(
                    "PUT",
                    "/reactions",
                    "{\"namespace_id\":\"letters\",\"entity_id\":\"%s\",\"user_id\":\"%s\",\"reaction_ids\":[%s]}"
                            .formatted(entity, user, ids));
        }
    }

    @Nested
    class Banning {

        @Test
        void aBannedUserMayTakeBackOnly() {
            given("letters", user, "a");
            assertThat(elsewhere("POST", user, "a").body())
                    .as("the other instance has read the bans")
                    .doesNotContain("user-banned");
            assertOk(ban("letters", "{\"until\":\"2100-01-01T00:00:00Z\"}"));

            JsonNode problem = assertRefused(add("letters", user, "d"), 403, "user-banned");
            assertThat(text(problem, "until")).isEqualTo("2100-01-01T00:00:00Z");
            Wait.until(
                    "the other instance knows the ban",
                    () -> elsewhere("POST", user, "a").body().contains("user-banned"));
            assertOk(add("pairs", user, "a"));
            assertOk(remove("letters", user, "a"));
            assertThat(rows()).isEmpty();

            assertOk(lift("letters"));
            given("letters", user, "d");
        }

        @Test
        void aBanWithoutANamespaceIsForAll() {
            assertOk(ban(null, "{}"));
            assertThat(assertRefused(add("pairs", user, "a"), 403, "user-banned").has("until"))
                    .isFalse();
            assertOk(lift("letters"));
            assertRefused(add("letters", user, "a"), 403, "user-banned");
            assertOk(lift(null));
            given("letters", user, "a");
        }

        @Test
        void aBanWithAnotherEndIsAnotherBan() {
            String body = "{\"until\":\"%s-01-01T00:00:00Z\",\"reactions\":\"hide\"}";
            Answer first = ban("letters", body.formatted(2100));

            Answer second = ban("letters", body.formatted(2101));

            assertThat(Imports.id(second)).isNotEqualTo(Imports.id(first));
            JsonNode problem = assertRefused(add("letters", user, "a"), 403, "user-banned");
            assertThat(text(problem, "until")).isEqualTo("2101-01-01T00:00:00Z");
        }

        @Test
        void anEndedBanIsNone() {
            assertOk(ban(null, "{\"until\":\"%s\"}".formatted(Instant.now().minusSeconds(1))));
            given("letters", user, "a");
        }

        @Test
        void removedReactionsStayAway() throws Exception {
            given("letters", user, "a");
            given("letters", "ann", "a", "d");
            assertOk(add("pairs", user, "a"));

            Answer answer = ban("letters", "{\"reactions\":\"remove\"}");

            assertThat(answer.status()).as(answer.body()).isEqualTo(202);
            awaitRows("ann a", "ann d");
            assertThat(unequal()).isZero();
            Wait.until("Redis follows", () -> countsNow("letters"), "a 1, d 1"::equals);
            assertThat(Rows.of("pairs", entity)).containsExactly(user + " a");
            Imports.run(
                    service,
                    "kind=reactions",
                    Imports.HEADER + "letters,%s,%s,a,1000\n".formatted(entity, user));
            assertThat(rows()).containsExactlyInAnyOrder("ann a", "ann d");
        }

        @Test
        void hiddenReactionsComeBackWithTheirTimes() throws Exception {
            given("letters", user, "a", "d");
            given("letters", "ann", "a");
            JsonNode before = now("letters").at("/reactions_count");

            assertThat(ban(null, "{\"reactions\":\"hide\"}").status()).isEqualTo(202);
            awaitRows("ann a");
            Wait.until("Redis follows", () -> countsNow("letters"), "a 1"::equals);
            assertThat(own("letters", user)).isEmpty();
            assertThat(unequal()).isZero();
            settle(lift("letters"));
            assertThat(countsNow("letters")).isEqualTo("a 1");

            settle(lift(null));

            assertThat(rows()).containsExactlyInAnyOrder("ann a", user + " a", user + " d");
            assertThat(unequal()).isZero();
            assertThat(now("letters").at("/reactions_count")).isEqualTo(before);
        }

        @Test
        void aBanThatRemovesAfterOneThatHidesRemovesHiddenReactions() throws Exception {
            given("letters", user, "a", "d");
            assertOk(add("pairs", user, "a"));
            assertThat(ban(null, "{\"reactions\":\"hide\"}").status()).isEqualTo(202);
            awaitHidden("letters a", "letters d", "pairs a");

            Answer removing = ban("letters", "{\"reactions\":\"remove\"}");
            awaitHidden("pairs a");
            age(removing);
            settle(removing);
            JsonNode job = Imports.job(service.port(), Imports.id(removing));
            assertThat(job.at("/report/reactions").longValue()).isEqualTo(2);
            settle(lift(null));
            settle(lift("letters"));

            assertThat(rows()).isEmpty();
            assertThat(unequal()).isZero();
            assertThat(Rows.of("pairs", entity)).containsExactly(user + " a");
        }

        @Test
        void aBanThatKeepsAfterOneThatHidesReturnsHiddenReactions() throws Exception {
            given("letters", user, "a");
            assertThat(ban("letters", "{\"reactions\":\"hide\"}").status()).isEqualTo(202);
            awaitHidden("letters a");

            settle(ban("letters", "{\"reactions\":\"keep\"}"));

            assertThat(rows()).containsExactly(user + " a");
            assertThat(unequal()).isZero();
            assertRefused(add("letters", user, "d"), 403, "user-banned");
        }

        /** Its job may end after the ban. */
        @Test
        void anEndedBanConcernsTheReactionsBeforeItsEnd() throws Exception {
            for (String effect : List.of("remove", "hide")) {
                given("letters", user, "a");
                String body = "{\"reactions\":\"" + effect + "\",\"until\":\"%s\"}";
                Answer answer =
                        Wait.until(
                                "a ban begins before its end",
                                () -> ban("letters", body.formatted(Instant.now().plusSeconds(2))),
                                begun -> begun.status() == 202);
                Wait.until("the ban is over", () -> add("letters", user, "d").status() == 200);
                age(answer);
                settle(answer);

                assertThat(rows()).as(effect).containsExactly(user + " d");
                assertThat(unequal()).isZero();
                assertOk(remove("letters", user, "d"));
            }
        }

        @Test
        void aBanThatIsOverWhenItIsRequestedRemovesNothing() throws Exception {
            given("letters", user, "a");
            String over = "{\"reactions\":\"%s\",\"until\":\"" + Instant.now() + "\"}";

            assertOk(ban("letters", over.formatted("hide")));
            assertOk(ban("letters", over.formatted("remove")));

            assertThat(rows()).containsExactly(user + " a");
        }

        @Test
        void aLiftedBanHidesNothingMore() throws Exception {
            given("letters", user, "a");
            Answer hiding = ban(null, "{\"reactions\":\"hide\"}");
            awaitRows();
            settle(lift(null));
            settle(hiding);

            assertThat(rows()).containsExactly(user + " a");
            assertThat(unequal()).isZero();
        }

        @Test
        void anErasedUserIsNotBannedAndHasNothingHidden() throws Exception {
            given("letters", user, "a");
            assertThat(ban(null, "{\"reactions\":\"hide\"}").status()).isEqualTo(202);
            awaitRows();
            settle(service.send("DELETE", "/users?user_id=" + user, null));

            Wait.until("the ban is forgotten", () -> add("letters", user, "d").status() == 200);
            settle(lift(null));
            assertThat(rows()).containsExactly(user + " d");
        }

        @Test
        void anIllFormedBanIsRefused() {
            assertViolations(
                    ban("a%20b", "{\"until\":\"soon\",\"reactions\":\"burn\"}"),
                    "namespace_id",
                    "until",
                    "reactions");
            assertViolations(service.send("DELETE", "/users/ban", null), "user_id");
        }
    }

    @Nested
    class OneReaction {

        @Test
        void isRemovedFromAllUsersOfAnEntity() throws Exception {
            given("letters", "ann", "a", "d");
            given("letters", "ben", "a");
            given("letters", "cleo", "e");

            Answer answer =
                    service.send(
                            "DELETE",
                            "/reactions/all?namespace_id=letters&reaction_id=a&entity_id=" + entity,
                            null);

            settle(answer);
            assertThat(countsNow("letters")).isEqualTo("d 1, e 1");
            assertThat(own("letters", "ann")).containsExactly("d");
            assertThat(rows()).containsExactlyInAnyOrder("ann d", "cleo e");
            assertThat(unequal()).isZero();
            given("letters", "ben", "a");
        }

        @Test
        void isNamedInAnySpelling() throws Exception {
            given("posts", "ann", "❤️", "🎉");
            String heart = URLEncoder.encode("❤", StandardCharsets.UTF_8);

            settle(
                    service.send(
                            "DELETE",
                            "/reactions/all?namespace_id=posts&reaction_id=%s&entity_id=%s"
                                    .formatted(heart, entity),
                            null));

            assertThat(Rows.of("posts", entity)).containsExactly("ann 🎉");
            settle(
                    service.send(
                            "DELETE",
                            "/reactions/all?namespace_id=posts&reaction_id=unheard&entity_id=x",
                            null));
        }
    }
}
