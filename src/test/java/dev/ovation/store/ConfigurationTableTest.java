package dev.ovation.store;

import static dev.ovation.store.StoreFixture.LIKE;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.ConfigurationTable.Draft;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

class ConfigurationTableTest {

    private static final ConfigurationTable CONFIGURATIONS = StoreFixture.configurations();

    private final StoreFixture store = new StoreFixture();

    @Test
    void thereIsNoneAtFirst() {
        assertThat(CONFIGURATIONS.newestVersion()).isZero();
        assertThat(CONFIGURATIONS.newest()).isEmpty();
        assertThat(CONFIGURATIONS.spellings()).isEmpty();
    }

    @Test
    void theNewestRules() {
        assertThat(append("files", "a", Map.of())).isEqualTo(1);
        assertThat(append("api", "b", Map.of())).isEqualTo(2);

        assertThat(CONFIGURATIONS.newestVersion()).isEqualTo(2);
        var newest = CONFIGURATIONS.newest().orElseThrow();
        assertThat(newest.version()).isEqualTo(2);
        assertThat(newest.source()).isEqualTo("api");
        assertThat(newest.hash()).isEqualTo("b");
        assertThat(newest.content()).isEqualTo("content of b");
    }

    @Test
    void aSourceThatWasEverInForceIsKnownWithAnyAddition() {
        append("files", "a", Map.of());
        append("files", "b" + ConfigurationTable.ADDITION + "x", Map.of());

        assertThat(CONFIGURATIONS.exists("a", ConfigurationTable.ADDITION)).isTrue();
        assertThat(CONFIGURATIONS.exists("b", ConfigurationTable.ADDITION)).isTrue();
        assertThat(CONFIGURATIONS.exists("x", ConfigurationTable.ADDITION)).isFalse();
    }

    @Test
    void reactionsAreSpelledAsTheyWereLastAndRetiredOnesAsBefore() {
        append("files", "a", Map.of("❤", "❤", LIKE, LIKE));
        append("files", "b", Map.of("❤", "❤️"));

        assertThat(CONFIGURATIONS.spellings()).isEqualTo(Map.of("❤", "❤️", LIKE, LIKE));
    }

    /** Without a transaction of the test: the table begins its own. */
    @Test
    void versionsHaveNoGapsAndNoDoublesAlthoughManyComeAtOnce() {
        List<CompletableFuture<Long>> appended =
                IntStream.range(0, 13)
                        .mapToObj(
                                i ->
                                        CompletableFuture.supplyAsync(
                                                () -> appendOneOfMany("hash" + i),
                                                ConfigurationTableTest::start))
                        .toList();

        assertThat(appended.stream().map(CompletableFuture::join))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 13).boxed().toList());
    }

    private static long appendOneOfMany(String hash) {
        var draft = new Draft("api", hash, "content", Map.of(LIKE, LIKE), null);
        while (true) {
            var version = CONFIGURATIONS.append(draft, CONFIGURATIONS.newestVersion());
            if (version.isPresent()) {
                return version.get();
            }
        }
    }

    /** A new thread, because the common pool has only one on two processors. */
    private static void start(Runnable transaction) {
        Thread.ofVirtual().start(transaction);
    }

    @Test
    void aVersionIsStoredWithItsPrincipalAfterTheOneThatItFollows() {
        append("files", "a", Map.of());
        var draft = new Draft("API", "b", "content", Map.of(LIKE, LIKE), "deployment");

        assertThat(CONFIGURATIONS.append(draft, 0)).isEmpty();
        assertThat(CONFIGURATIONS.append(draft, 1)).hasValue(2L);
        assertThat(CONFIGURATIONS.append(draft, 1)).isEmpty();
        assertThat(CONFIGURATIONS.version(1).orElseThrow().appliedBy()).isNull();
        assertThat(CONFIGURATIONS.version(2).orElseThrow().appliedBy()).isEqualTo("deployment");
        assertThat(CONFIGURATIONS.version(3)).isEmpty();
    }

    private long append(String source, String hash, Map<String, String> spellings) {
        var draft = new Draft(source, hash, "content of " + hash, spellings, null);
        return store.transaction(() -> CONFIGURATIONS.append(draft, CONFIGURATIONS.newestVersion()))
                .orElseThrow();
    }
}
