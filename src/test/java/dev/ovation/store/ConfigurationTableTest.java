package dev.ovation.store;

import static dev.ovation.store.StoreFixture.LIKE;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

class ConfigurationTableTest {

    private final StoreFixture store = new StoreFixture();
    private final ConfigurationTable configurations = new ConfigurationTable(store.jdbc);

    @Test
    void thereIsNoneAtFirst() {
        assertThat(configurations.newestVersion()).isZero();
        assertThat(configurations.newest()).isEmpty();
        assertThat(configurations.spellings()).isEmpty();
    }

    @Test
    void theNewestRules() {
        assertThat(append("files", "a", Map.of())).isEqualTo(1);
        assertThat(append("api", "b", Map.of())).isEqualTo(2);

        assertThat(configurations.newestVersion()).isEqualTo(2);
        var newest = configurations.newest().orElseThrow();
        assertThat(newest.version()).isEqualTo(2);
        assertThat(newest.source()).isEqualTo("api");
        assertThat(newest.hash()).isEqualTo("b");
        assertThat(newest.content()).isEqualTo("content of b");
    }

    @Test
    void aSourceThatWasEverInForceIsNotStoredAgainWhenOnlyNewOnesAre() {
        append("files", "a", Map.of());
        append("files", "b", Map.of());

        assertThat(appendNew("a", Map.of(LIKE, LIKE))).isEmpty();
        assertThat(configurations.newestVersion()).isEqualTo(2);
        assertThat(configurations.spellings()).isEmpty();
        assertThat(appendNew("c", Map.of())).hasValue(3L);
        assertThat(append("api", "a", Map.of())).isEqualTo(4);
    }

    @Test
    void reactionsAreSpelledAsTheyWereLastAndRetiredOnesAsBefore() {
        append("files", "a", Map.of("❤", "❤", LIKE, LIKE));
        append("files", "b", Map.of("❤", "❤️"));

        assertThat(configurations.spellings()).isEqualTo(Map.of("❤", "❤️", LIKE, LIKE));
    }

    @Test
    void versionsHaveNoGapsAndNoDoublesAlthoughManyComeAtOnce() {
        List<CompletableFuture<Long>> appended =
                IntStream.range(0, 13)
                        .mapToObj(
                                i ->
                                        CompletableFuture.supplyAsync(
                                                () -> append("api", "hash" + i, Map.of(LIKE, LIKE)),
                                                ConfigurationTableTest::start))
                        .toList();

        assertThat(appended.stream().map(CompletableFuture::join))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 13).boxed().toList());
    }

    /** The common pool has one thread on two processors. */
    private static void start(Runnable transaction) {
        Thread.ofVirtual().start(transaction);
    }

    private long append(String source, String hash, Map<String, String> spellings) {
        return store.transaction(
                        () ->
                                configurations.append(
                                        source, hash, "content of " + hash, spellings, false))
                .orElseThrow();
    }

    private Optional<Long> appendNew(String hash, Map<String, String> spellings) {
        return store.transaction(
                () -> configurations.append("files", hash, "content", spellings, true));
    }
}
