package dev.ovation.store;

import static dev.ovation.store.StoreFixture.DISLIKE;
import static dev.ovation.store.StoreFixture.LIKE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

class ReactionNamesTest {

    private final StoreFixture store = new StoreFixture();
    private final ReactionNames names = new ReactionNames(store.jdbc);

    @Test
    void aReactionKeepsItsNumber() {
        Map<String, Integer> first = numbers(LIKE, DISLIKE, LIKE);

        assertThat(first).containsOnlyKeys(LIKE, DISLIKE);
        assertThat(first.values()).containsExactlyInAnyOrder(1, 2);
        assertThat(numbers(DISLIKE, "❤", "❤️")).containsAllEntriesOf(of(first, DISLIKE)).hasSize(3);
        assertThat(numbers("❤", "❤️").values()).containsExactlyInAnyOrder(3, 4);
    }

    @Test
    void aTransactionThatFailsLosesNoNumber() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () ->
                                store.transaction(
                                        () -> {
                                            names.numbers(List.of("lost"));
                                            throw new IllegalStateException();
                                        }));

        assertThat(numbers(LIKE)).containsEntry(LIKE, 1);
    }

    @Test
    void transactionsThatMeetGiveEachNumberOnce() {
        var all =
                IntStream.range(0, 7)
                        .mapToObj(i -> List.of("own " + i, "shared", "shared " + i % 2))
                        .map(
                                wanted ->
                                        CompletableFuture.runAsync(
                                                () -> give(wanted), Thread::startVirtualThread))
                        .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(all).join();

        assertThat(store.rows("select count(*), count(distinct no), max(no) from reaction_name"))
                .containsExactly("10 10 10");
    }

    @Test
    void whenAllAreGivenTheNextIsRefused() {
        store.jdbc.update("insert into reaction_name values (32767, 'last')");

        assertThatThrownBy(() -> numbers("one more"))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(numbers("last")).containsEntry("last", 32767);
    }

    @Test
    void anImportLeavesNumbersToEvents() {
        store.jdbc.update("insert into reaction_name values (29999, 'last')");
        store.transaction(() -> names.numberImported(List.of("the last of imports")));

        assertThatThrownBy(() -> store.transaction(() -> names.numberImported(List.of("one more"))))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(numbers("of an event")).containsEntry("of an event", 30_001);
    }

    private void give(List<String> wanted) {
        numbers(wanted.toArray(String[]::new));
    }

    private Map<String, Integer> numbers(String... wanted) {
        return store.transaction(() -> names.numbers(List.of(wanted)));
    }

    private static Map<String, Integer> of(Map<String, Integer> numbers, String name) {
        return Map.of(name, numbers.get(name));
    }
}
