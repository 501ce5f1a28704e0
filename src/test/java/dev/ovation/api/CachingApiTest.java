package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Caching headers and conditional reads. */
class CachingApiTest extends ApiFixture {

    @Test
    void withAUserAnAnswerIsPrivateAndAlwaysAskedFor() {
        Answer answer = read(service, "letters", "user_id", "ann");

        assertThat(header(answer, "Cache-Control")).isEqualTo("private, no-cache");
        assertThat(header(answer, "Age")).isNull();
        assertThat(header(read(service, "letters", "viewer_id", "ann"), "Cache-Control"))
                .isEqualTo("private, no-cache");
    }

    /** A bound of 200 ms is of no use to a shared cache, which counts in seconds. */
    @Test
    void answersWithoutAUserArePublicAndStateTheirAge() {
        Answer answer = read(service, "letters");

        assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=0");
        assertThat(header(answer, "Age")).isEqualTo("0");
    }

    @Test
    void aChangeByAnotherInstanceIsShownWithinTheBound() {
        read(other, "letters");
        given("letters", "ann", "a");

        Wait.until("it is shown", () -> counts(read(other, "letters").json()).equals("a 1"));
    }

    @Test
    void readsWithAUserShowChangesOfOtherInstancesAtOnce() {
        for (int round = 1; round <= 7; round++) {
            read(other, "letters");
            given("letters", "user" + round, "a");

            assertThat(counts(read(other, "letters", "user_id", "ann").json()))
                    .isEqualTo("a " + round);
        }
    }

    /** Two reads by different users: the second finds the counts in the cache, and only those. */
    @Test
    void cachedCountsAreCombinedWithEachUsersOwnReactions() {
        for (int round = 1; round <= 7; round++) {
            given("letters", "user" + round, "a");

            for (String user : List.of("user" + round, "ann")) {
                Answer answer = read(other, "letters", "user_id", user);
                assertThat(counts(answer.json())).isEqualTo("a " + round);
                assertThat(own(answer.json()))
                        .isEqualTo(user.equals("ann") ? List.of() : List.of("a"));
            }
        }
    }

    @Test
    void hitsAndMissesOfTheNearCacheAreCounted() {
        assertGrows("hit", () -> twice("letters"));
        assertGrows("miss", () -> service.read("letters", entity + "new", null));
    }

    /** An entry that was validated after its bound serves other reads like a new one. */
    @Test
    void aRevalidatedEntryIsCachedAgain() {
        given("letters", "ann", "a");
        assertGrows("miss", () -> read(service, "letters"));
        assertGrows("miss", () -> read(service, "letters"));

        assertGrows("hit", () -> twice("letters"));
        assertThat(counts(read(service, "letters").json())).isEqualTo("a 1");
    }

    private void twice(String namespace) {
        read(service, namespace);
        read(service, namespace);
    }

    /** On a machine that hangs for 200 ms a hit may need more than one attempt. */
    private void assertGrows(String result, Runnable reads) {
        String label = "result=\"" + result + "\"";
        double before = Metrics.of(service).value("ovation_nearcache_lookups_total", label);
        Wait.until(
                "a " + result,
                () -> {
                    reads.run();
                    return Metrics.of(service).value("ovation_nearcache_lookups_total", label)
                            > before;
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"namespace", "available_reactions"})
    void rulesAreCachedForAMinuteAndTaggedByTheirVersion(String what) {
        configure(TestRules.shared()); // no version of another instance comes later
        String target = "/configuration/" + what + "?namespace_id=letters";
        Answer answer = service.get(target);
        String tag = header(answer, "ETag");

        assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=60");
        assertThat(tag).matches("\"[1-9][0-9]*\"");
        for (String form : List.of(tag, "W/" + tag)) {
            Answer same = service.send("GET", target, null, "If-None-Match", form);
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.body()).isEmpty();
            assertThat(header(same, "ETag")).isEqualTo(tag);
            assertThat(header(same, "Cache-Control")).isEqualTo("public, max-age=60");
        }
    }

    @Test
    void writesAreNotStored() {
        assertThat(header(add("letters", "ann", "a"), "Cache-Control")).isEqualTo("no-store");
        assertThat(header(remove("letters", "ann", "a"), "Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void errorsAreNotStored() {
        Answer unknown = read(service, "unknown");

        assertThat(unknown.status()).isEqualTo(404);
        assertThat(header(unknown, "Cache-Control")).isEqualTo("no-store");
        assertThat(header(add("closed", "ann", "a"), "Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void equalBytesHaveTheSameTagOnEachInstance() {
        given("letters", "ann", "a");
        String tag = header(read(service, "letters"), "ETag");

        assertThat(tag).matches("\"[^\"]+\"");
        assertThat(header(read(service, "letters"), "ETag")).isEqualTo(tag);
        assertThat(header(read(other, "letters"), "ETag")).isEqualTo(tag);
    }

    @Test
    void otherBytesHaveAnotherTag() {
        String empty = header(read(service, "letters"), "ETag");
        given("letters", "ann", "a");
        String one = header(read(service, "letters"), "ETag");
        String detailed = header(read(service, "letters", "details", "true"), "ETag");
        String seen = header(read(service, "letters", "user_id", "ann"), "ETag");
        assertOk(remove("letters", "ann", "a"));

        assertThat(List.of(empty, one, detailed, seen)).doesNotHaveDuplicates();
        assertThat(header(read(service, "letters"), "ETag")).isEqualTo(empty);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "W/%s", "\"other\", %s", "*"})
    void aMatchingIfNoneMatchAnswers304(String form) {
        given("letters", "ann", "a");
        Answer first = read(service, "letters", "user_id", "ann");
        Answer second = conditional(form.formatted(header(first, "ETag")));

        assertThat(second.status()).isEqualTo(304);
        assertThat(second.body()).isEmpty();
        assertThat(header(second, "ETag")).isEqualTo(header(first, "ETag"));
        assertThat(header(second, "Cache-Control")).isEqualTo("private, no-cache");
    }

    @Test
    void anOutdatedTagIsAnsweredWithTheNewState() {
        String tag = header(read(service, "letters", "user_id", "ann"), "ETag");
        given("letters", "ann", "a");
        Answer second = conditional(tag);

        assertThat(second.status()).isEqualTo(200);
        assertThat(own(second.json())).containsExactly("a");
    }

    private Answer conditional(String ifNoneMatch) {
        var query =
                new LinkedHashMap<>(
                        Map.of("namespace_id", "letters", "entity_id", entity, "user_id", "ann"));
        return other.send(
                "GET", "/reactions?" + Instance.encode(query), null, "If-None-Match", ifNoneMatch);
    }
}
