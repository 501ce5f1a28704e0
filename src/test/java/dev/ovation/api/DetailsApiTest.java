package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Additional members with {@code details=true}, and answers of writes with {@code Prefer}. */
class DetailsApiTest extends ApiFixture {

    private static final String PREFER = "return=representation";

    @Test
    void anUntouchedEntityHasAVersionAndATotalOfZero() {
        JsonNode details = details("letters");

        assertThat(details.get("reactions_count").isEmpty()).isTrue();
        assertThat(text(details, "version")).isNotBlank();
        assertThat(details.get("total").longValue()).isZero();
    }

    @Test
    void theTotalCountsReactionsOfAllKinds() {
        given("letters", "ann", "a", "d");
        given("letters", "ben", "d");

        assertThat(details("letters").get("total").longValue()).isEqualTo(3);
    }

    @Test
    void withoutDetailsNothingIsAdded() {
        given("ratings", "ann", "5");
        String plain = read(service, "ratings").body();

        assertThat(read(service, "ratings", "details", "false").body()).isEqualTo(plain);
        assertThat(plain)
                .isEqualTo(
                        "{\"entity_id\":\"%s\",\"reactions_count\":[{\"reaction_id\":\"5\",\"count\":1}]}"
                                .formatted(entity));
    }

    @Test
    void aViewerIsShownWithDetailsToo() {
        given("letters", "ann", "a");

        assertThat(own(read(service, "letters", "details", "true", "user_id", "ann").json()))
                .containsExactly("a");
    }

    @Nested
    class Times {

        @Test
        void areInUtcWithMilliseconds() {
            given("letters", "ann", "a");
            JsonNode count = details("letters").at("/reactions_count/0");

            for (String member : List.of("first_reacted_at", "last_reacted_at")) {
                assertThat(text(count, member))
                        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
            }
        }

        @Test
        void areThoseOfTheWrites() {
            Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            given("letters", "ann", "a");
            Instant between = Instant.now();
            given("letters", "ben", "a");
            Instant after = Instant.now();

            assertThat(time("first_reacted_at")).isBetween(before, between);
            assertThat(time("last_reacted_at"))
                    .isBetween(between.truncatedTo(ChronoUnit.MILLIS), after);
        }

        @Test
        void stayWhenSomeoneTakesBack() {
            given("letters", "ann", "a");
            given("letters", "ben", "a");
            Instant first = time("first_reacted_at");
            Instant last = time("last_reacted_at");
            assertOk(remove("letters", "ben", "a"));

            assertThat(time("first_reacted_at")).isEqualTo(first);
            assertThat(time("last_reacted_at")).isEqualTo(last);
        }

        @Test
        void beginAgainWhenTheCountRisesFromZero() {
            given("letters", "ann", "a");
            assertOk(remove("letters", "ann", "a"));
            Instant between = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            given("letters", "ben", "a");

            assertThat(time("first_reacted_at")).isAfterOrEqualTo(between);
            assertThat(time("last_reacted_at")).isEqualTo(time("first_reacted_at"));
        }

        private Instant time(String member) {
            return Instant.parse(text(details("letters").at("/reactions_count/0"), member));
        }
    }

    @Nested
    class Ratings {

        @Test
        void haveASumAndAnAverage() {
            given("ratings", "ann", "5");
            given("ratings", "ben", "5");
            given("ratings", "cleo", "1.5");
            JsonNode details = details("ratings");

            assertThat(details.get("sum").decimalValue()).isEqualByComparingTo("11.5");
            assertThat(details.get("average").decimalValue().doubleValue()).isBetween(3.833, 3.834);
        }

        @Test
        void followANewOneThatTookTheOldOnesPlace() {
            given("ratings", "ann", "2");
            assertOk(force("ratings", "ann", "4"));
            JsonNode details = details("ratings");

            assertThat(details.get("sum").decimalValue()).isEqualByComparingTo("4");
            assertThat(details.get("average").decimalValue()).isEqualByComparingTo("4");
        }

        @Test
        void areThereOnlyWhereReactionsHaveAValue() {
            given("letters", "ann", "a");
            JsonNode details = details("letters");

            assertThat(details.has("sum")).isFalse();
            assertThat(details.has("average")).isFalse();
        }

        @Test
        void sumAndAverageIgnoreReactionsWithoutAValue() {
            given("mixed", "ann", "a", "5");
            given("mixed", "ben", "a");
            JsonNode details = details("mixed");

            assertThat(details.get("sum").decimalValue()).isEqualByComparingTo("5");
            assertThat(details.get("average").decimalValue()).isEqualByComparingTo("5");
            assertThat(details.get("total").longValue()).isEqualTo(3);
        }
    }

    @Nested
    class Versions {

        @Test
        void growWithEachChangeAndWithNothingElse() {
            var versions = new ArrayList<String>();
            versions.add(version());
            for (int i = 0; i < 11; i++) {
                given("letters", "user" + i, "a");
                versions.add(version());
            }
            assertOk(remove("letters", "user3", "a"));
            versions.add(version());
            assertOk(force("letters", "user4", "b"));
            versions.add(version());

            assertThat(versions).isSorted().doesNotHaveDuplicates();
            assertRefused(add("letters", "user5", "a"), 403, "reaction-already-exists");
            assertOk(remove("letters", "nobody", "a"));
            assertThat(version()).isEqualTo(versions.getLast());
        }

        @Test
        void areTheSameOnBothInstances() {
            given("letters", "ann", "a");

            assertThat(text(read(other, "letters", "details", "true").json(), "version"))
                    .isEqualTo(version());
        }

        @Test
        void growAcrossTheLossOfAllThatRedisHad() {
            given("letters", "ann", "a");
            given("letters", "ben", "a");
            String before = version();
            JsonNode counts = details("letters").get("reactions_count");

            TwoInstances.redis().flushall();
            TwoInstances.allAnew();
            String after = version();
            assertThat(after).isGreaterThanOrEqualTo(before);
            assertThat(details("letters").get("reactions_count")).isEqualTo(counts);

            given("letters", "cleo", "a");
            assertThat(version()).isGreaterThan(after);
            assertThat(counts("letters")).isEqualTo("a 3");
        }

        private String version() {
            return text(details("letters"), "version");
        }
    }

    @Nested
    class Representations {

        @Test
        void anAdditionReturnsTheAddedReactionAndTheChangedEntity() {
            given("letters", "ben", "a");
            Answer answer = add("letters", "ann", "a", "Prefer", PREFER);

            assertRepresentation(answer, "applied", List.of("a"), List.of());
            assertThat(counts(answer.json().get("entity"))).isEqualTo("a 2");
        }

        @Test
        void hasTheTagOfALaterReadByThisUser() {
            Answer added = add("letters", "ann", "a", "Prefer", PREFER);
            Answer read = read(service, "letters", "user_id", "ann", "details", "true");
            Answer removed = remove("letters", "ann", "a", "Prefer", PREFER);

            assertThat(header(added, "ETag")).isNotNull().isEqualTo(header(read, "ETag"));
            assertThat(header(removed, "ETag")).isNotNull().isNotEqualTo(header(read, "ETag"));
            assertThat(header(add("letters", "ann", "a"), "ETag")).isNull();
        }

        @Test
        void aForcedAdditionAlsoReturnsTheRemovedReactions() {
            given("letters", "ann", "a", "c");

            assertRepresentation(
                    force("letters", "ann", "b", "Prefer", PREFER),
                    "applied",
                    List.of("b"),
                    List.of("a", "c"));
        }

        @Test
        void aRemovalReturnsTheRemovedReaction() {
            given("letters", "ann", "a");

            assertRepresentation(
                    remove("letters", "ann", "a", "Prefer", PREFER),
                    "applied",
                    List.of(),
                    List.of("a"));
        }

        @Test
        void ofNothingToRemoveAreUnchanged() {
            given("letters", "ben", "a");

            assertRepresentation(
                    remove("letters", "ann", "a", "Prefer", PREFER),
                    "unchanged",
                    List.of(),
                    List.of());
        }

        @Test
        void aRemovalFromAnUntouchedEntityIsUnchanged() {
            assertRepresentation(
                    remove("letters", "ann", "a", "Prefer", PREFER),
                    "unchanged",
                    List.of(),
                    List.of());
        }

        @Test
        void anAdditionOfAnExistingReactionIsUnchanged() {
            given("letters", "ann", "a");

            assertRepresentation(
                    post("?if_exists=ok", "letters", "ann", "a", "Prefer", PREFER),
                    "unchanged",
                    List.of(),
                    List.of());
        }

        @Test
        void writesWithoutThePreferenceReturnNoRepresentation() {
            assertOk(add("letters", "ann", "a", "Prefer", "return=minimal"));
            assertOk(remove("letters", "ann", "a"));
        }

        /**
         * Asserts that the entity in the answer equals a later read by the same user, member by
         * member.
         */
        private void assertRepresentation(
                Answer answer, String outcome, List<String> added, List<String> removed) {
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
            JsonNode body = answer.json();
            assertThat(body.propertyNames())
                    .containsExactly("status", "outcome", "added", "removed", "entity");
            assertThat(text(body, "status")).isEqualTo("ok");
            assertThat(text(body, "outcome")).isEqualTo(outcome);
            assertThat(texts(body.get("added"))).isEqualTo(added);
            assertThat(texts(body.get("removed"))).containsExactlyInAnyOrderElementsOf(removed);
            assertThat(body.get("entity"))
                    .isEqualTo(read(other, "letters", "user_id", "ann", "details", "true").json());
        }
    }
}
